import { UsageError } from '../../core/errors.js';
import type { Command, RunArguments } from './command.js';
import { filled } from './flag-readers.js';
import type { FlagName } from './flags.js';
import { readSources } from './parse-settings-commands.js';
import type { FlagValues } from './read-flags.js';
import { refuseOtherFlags } from './refuse-other-flags.js';
import { SUBCOMMANDS, TEAM_ACTIONS, usageOf } from './subcommands.js';

const VALIDATE_FLAGS: readonly FlagName[] = ['--json', '--setting-sources'];

/**
 * @param runOf what the flags say of a run
 * @throws UsageError
 */
export function readTeam(flags: FlagValues, runOf: (prompt: undefined) => RunArguments): Command {
  const [, word, file, more] = flags.words;
  const action = TEAM_ACTIONS.find((known) => known === word);
  if (action === undefined) {
    const what = word === undefined ? 'needs one of' : `has no "${word}", only`;
    throw new UsageError(`team ${what} ${TEAM_ACTIONS.join(', ')}. Usage: ${usageOf('team')}`);
  }
  if (file === undefined || file.trim() === '')
    throw new UsageError(`team ${action} needs a file: troupe team ${action} team.yaml`);
  if (more !== undefined)
    throw new UsageError(`team ${action} takes one file: "${more}" is a second one.`);
  const known = action === 'run' ? SUBCOMMANDS.team.flags : VALIDATE_FLAGS;
  refuseOtherFlags(`team ${action}`, flags, known);
  const base = { type: 'team', file, isJson: flags.given.has('--json') } as const;
  if (action === 'validate') return { ...base, action, settingSources: readSources(flags) };
  const inputs = readInputs(flags.values('--input'));
  const run = runOf(undefined);
  if (run.resume !== undefined && Object.keys(inputs).length > 0)
    throw new UsageError('A run that is gone on with keeps its inputs: leave --input out.');
  return { ...base, action, inputs, report: filled(flags, '--report'), run };
}

function readInputs(values: readonly string[]): Readonly<Record<string, string>> {
  const inputs = new Map<string, string>();
  for (const value of values) {
    const equals = value.indexOf('=');
    const name = value.slice(0, equals);
    if (equals < 1)
      throw new UsageError(`--input: "${value}" is no NAME=VALUE, such as --input base=main.`);
    if (inputs.has(name)) throw new UsageError(`--input: "${name}" was given twice. Give it once.`);
    inputs.set(name, value.slice(equals + 1));
  }
  return Object.fromEntries(inputs);
}
