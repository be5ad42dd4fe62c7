import type { RunCommand } from '../../command.js';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { UsageError } from '../../../api/errors.js';
import { whyUnreadable } from '../../../api/text.js';
import type { EvalCase, Tally } from '../../../api/types.js';
import { judgeCases, readEvalCase } from '../../../api/permissions/eval-permissions.js';
import { openStderr } from '../../output/output-writer.js';
import { printJson, warn } from '../../output/print.js';

/**
 * `troupe permissions eval`: compare the decisions of rules with the expected ones. Only the file of cases is read, and
 * nothing is printed before all of it is valid.
 *
 * @returns 0 if all decisions are as expected, 1 otherwise
 * @throws UsageError with the line that is not a case
 */
export const run: RunCommand = async ({ words: [file = '-'], given }) => {
  const cases = parseCases(file, await readText(file, process.stdin));
  const { judged, counts } = await judgeCases(cases);
  await printJson(judged);
  if (given.has('--json')) await openStderr().data(`${JSON.stringify(counts)}\n`);
  else warn([toText(counts)]);
  return counts.asExpected === counts.cases ? 0 : 1;
};

async function readText(file: string, stdin: Readable): Promise<string> {
  try {
    const bytes = file === '-' ? await readAll(stdin) : await readFile(file);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const why =
      error instanceof TypeError ? 'it is not UTF-8 text.' : await whyUnreadable(file, error);
    throw new UsageError(
      `The cases cannot be read: ${why} Give a file with one JSON object a line, or "-" for stdin.`,
      { file: nameOf(file) },
      { cause: error },
    );
  }
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer); // the stream has no encoding
  return Buffer.concat(chunks);
}

function parseCases(file: string, text: string): readonly EvalCase[] {
  const cases = text.split('\n').flatMap((line, index): readonly EvalCase[] => {
    if (line.trim() === '') return [];
    const read = readEvalCase(line);
    if (read.ok) {
      warn(read.warnings.map((what) => `${nameOf(file)}, line ${index + 1}: ${what}`));
      return [read.value];
    }
    throw new UsageError(`${read.message}.`, { file: nameOf(file), line: index + 1 });
  });
  if (cases.length > 0) return cases;
  throw new UsageError('There is no case. Write one JSON object a line.', {
    file: nameOf(file),
  });
}

function nameOf(file: string): string {
  return file === '-' ? 'stdin' : file;
}

function toText({ cases, asExpected, unsafe, missedDeny, falsePrompt, other }: Tally): string {
  const all = `${asExpected} of ${cases} cases are as expected`;
  return `${all}: ${unsafe} unsafe, ${missedDeny} missed deny, ${falsePrompt} false prompt, ${other} other`;
}
