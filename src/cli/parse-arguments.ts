import { UsageError } from '../core/errors.js';
import { toSessionId } from '../core/ids.js';
import { nearestName } from '../core/nearest-name.js';
import type { Command, RunArguments } from './arguments/command.js';
import { filled, oneOf } from './arguments/flag-readers.js';
import { INPUT_FORMATS, OUTPUT_FORMATS, type FlagName } from './arguments/flags.js';
import { checkChoices, readChoices } from './arguments/parse-choices.js';
import {
  readAgents,
  readCompletion,
  readDoctor,
  readLogCommand,
  readSessions,
} from './arguments/parse-listings.js';
import { readKill, readLogs, readPs, readSend } from './arguments/parse-control.js';
import { readPermissions, readRules } from './arguments/parse-permissions.js';
import { readConfig, readTrust } from './arguments/parse-settings-commands.js';
import { readTeam } from './arguments/parse-team.js';
import { readFlags, type FlagValues } from './arguments/read-flags.js';
import { checkInteractive } from './arguments/check-interactive.js';
import { refuseOtherFlags } from './arguments/refuse-other-flags.js';
import { SANDBOX_MODES } from '../tools/shell/sandbox/sandbox.js';
import {
  isSubcommand,
  SUBCOMMAND_FLAGS,
  SUBCOMMAND_NAMES,
  SUBCOMMANDS,
} from './arguments/subcommands.js';

/**
 * Reads a command line, without the program's own name. Values are checked as far as they can be without the world.
 *
 * @throws UsageError that says what was wrong and what would work
 */
export function parseArguments(args: readonly string[]): Command {
  const flags = readFlags(args);
  const isPrompt = flags.given.has('--print');
  if (flags.given.has('--help')) return isPrompt ? { type: 'help' } : helpOf(flags.words[0]);
  if (flags.given.has('--version')) return { type: 'version' };
  if (isPrompt) return readRun(flags);
  switch (flags.words[0]) {
    case 'help':
      return readHelp(flags);
    case 'demo':
      return readDemo(flags);
    case 'config':
      return readConfig(flags);
    case 'trust':
      return readTrust(flags);
    case 'sessions':
      return readSessions(flags);
    case 'log':
      return readLogCommand(flags);
    case 'ps':
      return readPs(flags);
    case 'logs':
      return readLogs(flags);
    case 'kill':
      return readKill(flags);
    case 'send':
      return readSend(flags);
    case 'agents':
      return readAgents(flags);
    case 'doctor':
      return readDoctor(flags);
    case 'permissions':
      return readPermissions(flags);
    case 'completion':
      return readCompletion(flags);
    case 'team':
      return readTeam(flags, (prompt) => runOf(flags, prompt));
    default:
      return readRun(flags);
  }
}

function readHelp(flags: FlagValues): Command {
  const [, name, more] = flags.words;
  if (more !== undefined) throw new UsageError(`help takes no "${more}". Run: troupe help ${name}`);
  refuseOtherFlags('help', flags, []);
  if (name === undefined || isSubcommand(name)) return helpOf(name);
  const near = nearestName(name, SUBCOMMAND_NAMES);
  throw new UsageError(
    `There is no command "${name}". ${near === undefined ? `The commands are ${SUBCOMMAND_NAMES.join(', ')}.` : `Did you mean troupe help ${near}?`}`,
  );
}

function helpOf(word: string | undefined): Command {
  return word !== undefined && isSubcommand(word) ? { type: 'help', of: word } : { type: 'help' };
}

function readDemo(flags: FlagValues): Command {
  const [, more] = flags.words;
  if (more !== undefined) throw new UsageError(`demo takes no "${more}". Run: troupe demo`);
  refuseOtherFlags('demo', flags, SUBCOMMANDS.demo.flags);
  return { type: 'demo', model: flags.value('--model'), verbose: flags.given.has('--verbose') };
}

function readRun(flags: FlagValues): Command {
  const foreign = SUBCOMMAND_FLAGS.find((name) => flags.given.has(name));
  if (foreign !== undefined) throw new UsageError(`A run takes no ${foreign}. See troupe --help.`);
  const run = runOf(flags, promptOf(flags));
  checkTogether(run, flags);
  const isHeadless = flags.given.has('--print') || run.inputFormat === 'stream-json';
  if (!isHeadless) checkInteractive(flags);
  return { type: isHeadless ? 'run' : 'interactive', ...run };
}

/** What the flags say of a run, each by itself. */
function runOf(flags: FlagValues, prompt: string | undefined): RunArguments {
  return {
    prompt,
    outputFormat: oneOf(flags, '--output-format', OUTPUT_FORMATS) ?? 'text',
    inputFormat: oneOf(flags, '--input-format', INPUT_FORMATS) ?? 'text',
    model: filled(flags, '--model'),
    fallbackModel: filled(flags, '--fallback-model'),
    sandbox: oneOf(flags, '--sandbox', SANDBOX_MODES),
    ...readRules(flags),
    mcpConfigs: flags.values('--mcp-config'),
    usesOnlyGivenServers: flags.given.has('--strict-mcp-config'),
    agents: flags.value('--agents'),
    agent: filled(flags, '--agent'),
    maxTurns: countOf(flags, '--max-turns'),
    maxConcurrentAgents: countOf(flags, '--max-concurrent-agents'),
    maxBudgetUsd: amountOf(flags, '--max-budget-usd'),
    sessionId: sessionIdOf(flags),
    continues: flags.given.has('--continue'),
    resume: filled(flags, '--resume'),
    forks: flags.given.has('--fork-session'),
    verbose: flags.given.has('--verbose'),
    betas: flags.values('--betas').flatMap((value) => value.split(/[\s,]+/).filter(Boolean)),
    loads: loadsOf(flags),
    ignored: flags.ignored.flatMap(({ flag, note }) =>
      note === undefined ? [] : [`${flag} has no effect: ${note}.`],
    ),
    ...readChoices(flags),
  };
}

function loadsOf({ given }: FlagValues): RunArguments['loads'] {
  if (given.has('--bare')) return 'bare';
  return given.has('--safe-mode') ? 'safe' : 'all';
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
  checkChoices(run, flags);
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
  if (run.inputFormat === 'json' && run.prompt !== undefined)
    throw new UsageError(
      'With --input-format json the prompts come on stdin, as one JSON document. Leave the prompt out.',
    );
}

function promptOf(flags: FlagValues): string | undefined {
  const [prompt, more] = flags.words;
  if (prompt === 'run' && more !== undefined && /\.ya?ml$/.test(more))
    throw new UsageError(`There is no command "run". Did you mean troupe team run ${more}?`);
  if (more !== undefined)
    throw new UsageError(
      `One prompt is enough: "${more}" is a second one. Put the whole prompt in quotes.`,
    );
  const isStreamed = flags.value('--input-format') === 'stream-json';
  return isStreamed && prompt === '' ? undefined : prompt; // clients write a flag without a value as two words
}

function countOf(flags: FlagValues, name: FlagName): number | undefined {
  const value = flags.value(name);
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`${name}: "${value}" is not a whole number from 1 up.`);
  return Number(value);
}

function amountOf(flags: FlagValues, name: FlagName): number | undefined {
  const value = flags.value(name);
  if (value === undefined) return undefined;
  if (!/^(?:\d{1,9}(?:\.\d*)?|\.\d+)$/.test(value) || Number(value) === 0)
    throw new UsageError(`${name}: "${value}" is not an amount of USD above 0, such as 5 or 0.5.`);
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
