import { z } from 'zod';
import { NOT_A_FILE, readRegularFile } from '../files/regular-file.js';
import { TroupeError } from '../core/errors.js';
import { describeRefusal, quotedField } from '../core/text/describe-issue.js';
import { JOURNAL_VERSION } from './journal.js';

/** A line of a journal is unreadable. The error names the line. */
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
 * Read the lines of a journal file, parsed by `schema`. A last line without its newline was being written when the
 * process died: it is left out, because it had no effect yet.
 *
 * @throws JournalDamagedError names the file and the line
 */
export async function readJournal<T>(file: string, schema: z.ZodType<T>): Promise<readonly T[]> {
  return parseLines(file, readText(file), schema);
}

/**
 * The same synchronously, for a file to resume: a missing line in the middle is damage too.
 *
 * @throws JournalDamagedError names the file and the line
 */
export function readWholeJournal<T>(file: string, schema: z.ZodType<T>): readonly T[] {
  return readAnyLines(file, schema).map((line) => {
    if (line instanceof JournalDamagedError) throw line;
    return line;
  });
}

/** The same for reading only: an unreadable line is an error in its place. */
export function readAnyLines<T>(
  file: string,
  schema: z.ZodType<T>,
): readonly (T | JournalDamagedError)[] {
  /** Undefined after damage: the line is not known. */
  let newest: string | null | undefined = null;
  return wholeLines(readText(file)).map((text, index) => {
    try {
      const { head, entry } = parseLine({ file, line: index + 1, text }, schema);
      const isMissing = newest !== undefined && head.parentUuid !== newest;
      newest = head.uuid;
      return isMissing
        ? new JournalDamagedError(file, index + 1, 'the line before it is missing')
        : entry;
    } catch (error) {
      if (!(error instanceof JournalDamagedError)) throw error;
      newest = undefined;
      return error;
    }
  });
}

/** Parse lines from the beginning or the end of a file. @throws JournalDamagedError names the file and the line */
export function parseEnd<T>(
  file: string,
  lines: readonly string[],
  schema: z.ZodType<T>,
): readonly T[] {
  try {
    return lines.map((text) => parseLine({ file, line: 0, text }, schema).entry);
  } catch (error) {
    if (!(error instanceof JournalDamagedError)) throw error;
    return readWholeJournal(file, schema); // this names the line
  }
}

/** @throws JournalDamagedError for anything but a regular file */
function readText(file: string): string {
  const text = readRegularFile(file);
  if (text === undefined) throw new JournalDamagedError(file, 1, NOT_A_FILE);
  return text;
}

function parseLines<T>(file: string, text: string, schema: z.ZodType<T>): readonly T[] {
  return wholeLines(text).map(
    (line, index) => parseLine({ file, line: index + 1, text: line }, schema).entry,
  );
}

function wholeLines(text: string): readonly string[] {
  return text.split('\n').slice(0, -1); // the last one is empty, or torn
}

const nameOf = quotedField('the line');

/** Parse one line. @throws JournalDamagedError names the file and the line */
export function parseLine<T>(
  { file, line, text }: { readonly file: string; readonly line: number; readonly text: string },
  schema: z.ZodType<T>,
): { readonly head: Head; readonly entry: T } {
  const damaged = (why: string, cause?: unknown): JournalDamagedError =>
    new JournalDamagedError(file, line, why, cause === undefined ? {} : { cause });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged('not a JSON object', error);
  }
  const head = Head.safeParse(value);
  if (!head.success) throw damaged(describeRefusal(head.error, value, nameOf));
  if (head.data.version > JOURNAL_VERSION)
    throw damaged(`written by a newer Troupe (version ${head.data.version})`);
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw damaged(describeRefusal(parsed.error, value, nameOf));
  return { head: head.data, entry: parsed.data };
}
