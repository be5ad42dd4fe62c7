import { UsageError } from '../../api/errors.js';
import type { CommandLine } from '../arguments/command-line.js';
import { filled } from '../arguments/flag-readers.js';
import { runArgumentsOf } from './read-run.js';
import type { RunArguments } from '../arguments/run-arguments.js';

export type TeamRun = {
  readonly file: string;
  readonly isJson: boolean;
  readonly inputs: Readonly<Record<string, string>>;
  /** The file that the report is written to, beside stdout. */
  readonly report: string | undefined;
  readonly run: RunArguments;
};

/** Read the flags and words of `troupe team run`. @throws UsageError */
export function readTeamRun(line: CommandLine): TeamRun {
  const inputs = readInputs(line.values('--input'));
  const run = runArgumentsOf(line, undefined);
  if (run.resume !== undefined && Object.keys(inputs).length > 0)
    throw new UsageError('A resumed run keeps its inputs: remove --input.');
  const [file = ''] = line.words;
  const isJson = line.given.has('--json');
  return { file, isJson, inputs, report: filled(line, '--report'), run };
}

function readInputs(values: readonly string[]): Readonly<Record<string, string>> {
  const inputs = new Map<string, string>();
  for (const value of values) {
    const equals = value.indexOf('=');
    const name = value.slice(0, equals);
    if (equals < 1)
      throw new UsageError(`--input: "${value}" is not NAME=VALUE, such as --input base=main.`);
    if (inputs.has(name)) throw new UsageError(`--input: "${name}" was given twice. Give it once.`);
    inputs.set(name, value.slice(equals + 1));
  }
  return Object.fromEntries(inputs);
}
