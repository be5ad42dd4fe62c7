import { UsageError } from '../core/errors.js';
import { toSessionId } from '../core/ids.js';
import { EXTERNAL_PERMISSION_MODES } from '../core/permission-types.js';
import type { Command, RunArguments } from './arguments/command.js';
import { INPUT_FORMATS, OUTPUT_FORMATS, type FlagName } from './arguments/flags.js';
import { readConfig, readSettings, readTrust } from './arguments/parse-settings-commands.js';
import { readFlags, type FlagValues } from './arguments/read-flags.js';
import { refuseOtherFlags } from './arguments/refuse-other-flags.js';

const DEMO_FLAGS: readonly FlagName[] = ['--model', '--verbose'];
/** Of commands only. */
const COMMAND_FLAGS: readonly FlagName[] = ['--json', '--list', '--remove'];

/**
 * Reads a command line, without the program's own name. Values are checked as far as they can be without the world.
 *
 * @throws UsageError that says what was wrong and what would work
 */
export function parseArguments(args: readonly string[]): Command {
  const flags = readFlags(args);
  if (flags.given.has('--help')) return { type: 'help' };
  if (flags.given.has('--version')) return { type: 'version' };
  if (flags.given.has('--print')) return readRun(flags);
  switch (flags.words[0]) {
    case 'demo':
      return readDemo(flags);
    case 'config':
      return readConfig(flags);
    case 'trust':
      return readTrust(flags);
    default:
      return readRun(flags);
  }
}

function readDemo(flags: FlagValues): Command {
  const [, more] = flags.words;
  if (more !== undefined) throw new UsageError(`demo takes no "${more}". Run: troupe demo`);
  refuseOtherFlags('demo', flags, DEMO_FLAGS);
  return { type: 'demo', model: flags.value('--model'), verbose: flags.given.has('--verbose') };
}

function readRun(flags: FlagValues): Command {
  const foreign = COMMAND_FLAGS.find((name) => flags.given.has(name));
  if (foreign !== undefined) throw new UsageError(`A run takes no ${foreign}. See troupe --help.`);
  const run: RunArguments = {
    prompt: promptOf(flags),
    outputFormat: oneOf(flags, '--output-format', OUTPUT_FORMATS) ?? 'text',
    inputFormat: oneOf(flags, '--input-format', INPUT_FORMATS) ?? 'text',
    model: filled(flags, '--model'),
    permissionMode: oneOf(flags, '--permission-mode', [...EXTERNAL_PERMISSION_MODES, 'manual']),
    allowedTools: flags.values('--allowedTools'),
    disallowedTools: flags.values('--disallowedTools'),
    ...readSettings(flags),
    mcpConfigs: flags.values('--mcp-config'),
    usesOnlyGivenServers: flags.given.has('--strict-mcp-config'),
    agents: flags.value('--agents'),
    agent: filled(flags, '--agent'),
    maxTurns: countOf(flags, '--max-turns'),
    sessionId: sessionIdOf(flags),
    continues: flags.given.has('--continue'),
    resume: filled(flags, '--resume'),
    forks: flags.given.has('--fork-session'),
    verbose: flags.given.has('--verbose'),
    asksOnStdio: oneOf(flags, '--permission-prompt-tool', ['stdio']) === 'stdio',
    skipsPermissions: flags.given.has('--dangerously-skip-permissions'),
  };
  checkTogether(run, flags);
  return { type: 'run', ...run };
}

/** What is right by itself and wrong beside something else. */
function checkTogether(run: RunArguments, flags: FlagValues): void {
  const goesOn = run.continues || run.resume !== undefined;
  if (run.continues && run.resume !== undefined)
    throw new UsageError('--continue and --resume name one session each. Give one of them.');
  if (run.forks && !goesOn)
    throw new UsageError(
      '--fork-session needs the session to copy: add --continue or --resume ID.',
    );
  if (goesOn && !run.forks && run.sessionId !== undefined)
    throw new UsageError(
      'A session that is gone on with keeps its id: leave --session-id out, or add --fork-session.',
    );
  if (run.inputFormat === 'stream-json') {
    if (run.outputFormat !== 'stream-json')
      throw new UsageError('--input-format stream-json needs --output-format stream-json.');
    if (run.prompt !== undefined)
      throw new UsageError(
        'With --input-format stream-json the prompts come on stdin. Leave the prompt out.',
      );
    return;
  }
  if (run.asksOnStdio)
    throw new UsageError(
      '--permission-prompt-tool stdio is answered on stdin: add --input-format stream-json --output-format stream-json.',
    );
  if (!flags.given.has('--print'))
    throw new UsageError(
      'Nothing to run. Try: troupe -p "what to do" (see troupe --help), or troupe demo.',
    );
}

function promptOf({ words }: FlagValues): string | undefined {
  const [prompt, more] = words;
  if (more !== undefined)
    throw new UsageError(
      `One prompt is enough: "${more}" is a second one. Put the whole prompt in quotes.`,
    );
  return prompt;
}

function oneOf<const T extends string>(
  flags: FlagValues,
  name: FlagName,
  choices: readonly T[],
): T | undefined {
  const value = flags.value(name);
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined)
    throw new UsageError(`${name}: there is no "${value}". Choose ${choices.join(', ')}.`);
  return found;
}

function filled(flags: FlagValues, name: FlagName): string | undefined {
  const value = flags.value(name);
  if (value?.trim() === '') throw new UsageError(`${name} is empty.`);
  return value;
}

function countOf(flags: FlagValues, name: FlagName): number | undefined {
  const value = flags.value(name);
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`${name}: "${value}" is not a whole number from 1 up.`);
  return Number(value);
}

function sessionIdOf(flags: FlagValues): string | undefined {
  const value = flags.value('--session-id');
  if (value !== undefined && toSessionId(value) === null)
    throw new UsageError(
      `--session-id: "${value}" is not a UUID, such as 3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11.`,
    );
  return value;
}
