import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { TroupeError } from '../core/errors.js';
import { JOURNAL_VERSION } from './journal.js';

/** A line of a journal cannot be read. Says which, so that it can be looked at. */
export class JournalDamagedError extends TroupeError {
  override readonly name = 'JournalDamagedError';
  readonly code = 'JOURNAL_DAMAGED';
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;

  constructor(file: string, line: number, why: string, options?: ErrorOptions) {
    super(`${file}:${line}: ${why}`, options);
    this.file = file;
    this.line = line;
  }
}

const Head = z.looseObject({
  version: z.int(),
  uuid: z.string(),
  parentUuid: z.string().nullable(),
  sessionId: z.string(),
  timestamp: z.number(),
  type: z.string(),
});

type Head = z.infer<typeof Head>;

/**
 * The lines of a journal file, parsed by `schema`. A last line without its newline was being written when the process
 * died: it is left out, for nothing that follows from it has happened.
 *
 * @throws JournalDamagedError names the file and the line
 */
export async function readJournal<T>(file: string, schema: z.ZodType<T>): Promise<readonly T[]> {
  return parseLines(file, await readFile(file, 'utf8'), schema);
}

/**
 * The same at once, for a file that is to be gone on with: a line that is missing in the middle is damage too.
 *
 * @throws JournalDamagedError names the file and the line
 */
export function readWholeJournal<T>(file: string, schema: z.ZodType<T>): readonly T[] {
  let newest: string | null = null;
  return parseLines(file, readFileSync(file, 'utf8'), schema, ({ uuid, parentUuid }) => {
    if (parentUuid !== newest) return 'the line before it is missing';
    newest = uuid;
    return undefined;
  });
}

function parseLines<T>(
  file: string,
  text: string,
  schema: z.ZodType<T>,
  findProblem: (head: Head) => string | undefined = () => undefined,
): readonly T[] {
  const lines = text.split('\n');
  lines.pop(); // empty, or torn
  return lines.map((line, index) => {
    const damaged = (why: string, cause?: unknown): JournalDamagedError =>
      new JournalDamagedError(file, index + 1, why, cause === undefined ? {} : { cause });
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw damaged('not a JSON object', error);
    }
    const head = Head.safeParse(value);
    if (!head.success) throw damaged(z.prettifyError(head.error));
    if (head.data.version > JOURNAL_VERSION)
      throw damaged(`written by a newer Troupe (version ${head.data.version})`);
    const problem = findProblem(head.data);
    if (problem !== undefined) throw damaged(problem);
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw damaged(z.prettifyError(parsed.error));
    return parsed.data;
  });
}
