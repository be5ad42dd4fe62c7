import { UsageError } from '../../api/errors.js';
import { checkInteractive, hintOfCommand } from './check-interactive.js';
import type { CommandLine } from '../arguments/command-line.js';
import { countOf, filled, oneOf, readSharedOptions } from '../arguments/flag-readers.js';
import { checkChoices, readChoices } from '../arguments/read-choices.js';
import { readRules, readServers } from '../arguments/read-settings.js';
import type { RunArguments } from '../arguments/run-arguments.js';

/** A run that the command line asks for: with a person at a terminal, or without. */
export type Run = RunArguments & { readonly isInteractive: boolean };

/**
 * Read a run from its flags and words. Values are checked as far as they can be without files and environment.
 *
 * @throws UsageError
 */
export function readRun(line: CommandLine): Run {
  const run = runArgumentsOf(line, promptOf(line));
  checkTogether(run, line);
  const isInteractive = !line.given.has('--print') && run.inputFormat !== 'stream-json';
  if (run.picks && (!isInteractive || run.endsAfterSetup))
    throw new UsageError(
      '--resume needs a value: --resume ID (troupe sessions lists them). Only a session at a terminal offers them to choose from.',
    );
  if (isInteractive && !run.endsAfterSetup) checkInteractive(line);
  return { ...run, isInteractive };
}

/** Read the flags of a run, each by itself. @throws UsageError */
export function runArgumentsOf(line: CommandLine, prompt: string | undefined): RunArguments {
  return {
    prompt,
    outputFormat: oneOf(line, '--output-format') ?? 'text',
    inputFormat: oneOf(line, '--input-format') ?? 'text',
    model: filled(line, '--model'),
    fallbackModel: filled(line, '--fallback-model'),
    sandbox: oneOf(line, '--sandbox'),
    ...readRules(line),
    ...readServers(line),
    commandsFile: filled(line, '--commands'),
    pluginFolders: line.values('--plugin-dir'),
    agents: line.value('--agents'),
    agent: filled(line, '--agent'),
    session: readSharedOptions(line),
    maxConcurrentAgents: countOf(line, '--max-concurrent-agents'),
    continues: line.given.has('--continue'),
    resume: filled(line, '--resume'),
    picks: line.given.has('--resume') && line.value('--resume') === undefined,
    forks: line.given.has('--fork-session'),
    setup: setupOf(line),
    endsAfterSetup: line.given.has('--init-only'),
    verbose: line.given.has('--verbose'),
    betas: line.values('--betas').flatMap((value) => value.split(/[\s,]+/).filter(Boolean)),
    usesSkills: !line.given.has('--disable-slash-commands'),
    loads: loadsOf(line),
    ignored: line.ignored.flatMap(({ flag, note }) =>
      note === undefined ? [] : [`${flag} has no effect: ${note}.`],
    ),
    ...readChoices(line),
  };
}

/** @throws UsageError for several triggers */
function setupOf({ given }: CommandLine): RunArguments['setup'] {
  const flags = (['--init', '--init-only', '--maintenance'] as const).filter((flag) =>
    given.has(flag),
  );
  if (flags.length > 1) throw new UsageError(`${flags.join(' and ')} do not go together.`);
  const [flag] = flags;
  if (flag === undefined) return undefined;
  return flag === '--maintenance' ? 'maintenance' : 'init';
}

function loadsOf({ given }: CommandLine): RunArguments['loads'] {
  if (given.has('--bare')) return 'bare';
  return given.has('--safe-mode') ? 'safe' : 'all';
}

/** Refuse flags that do not go together. @throws UsageError */
function checkTogether(run: RunArguments, line: CommandLine): void {
  const names = run.picks || run.resume !== undefined;
  const resumes = run.continues || names;
  if (run.continues && names)
    throw new UsageError('--continue and --resume name one session each. Give one of them.');
  if (run.forks && !resumes)
    throw new UsageError(
      '--fork-session needs the session to copy: add --continue or --resume ID.',
    );
  if (resumes && !run.forks && run.session.sessionId !== undefined)
    throw new UsageError(
      'A resumed session keeps its ID: remove --session-id, or add --fork-session.',
    );
  checkChoices(run, line);
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

function promptOf(line: CommandLine): string | undefined {
  const [prompt, more] = line.words;
  if (more !== undefined && !line.given.has('--print')) {
    const hint = hintOfCommand(line.words);
    if (hint !== undefined)
      throw new UsageError(
        `There is no command "${prompt}". ${hint} A prompt of several words goes in quotes.`,
      );
  }
  if (more !== undefined)
    throw new UsageError(
      `One prompt is enough: "${more}" is a second one. Put the whole prompt in quotes.`,
    );
  const isStreamed = line.value('--input-format') === 'stream-json';
  return isStreamed && prompt === '' ? undefined : prompt; // clients write a flag without a value as two words
}
