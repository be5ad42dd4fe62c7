import { messageOf } from '../../api/errors.js';
import { readCommand, sendPrompt, withProgramPrompts } from '../../api/sessions/prompts.js';
import type { Orchestrator, ResultMessage, SessionHandle } from '../../api/types.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import {
  openStderr,
  openStdout,
  warnOfOutput,
  type OutputWriter,
} from '../output/output-writer.js';
import { openOrchestrator, prepareRun, type PreparedRun } from '../run/prepare-run.js';
import { describeWaiting } from '../run/run-settings.js';
import { readPrompt } from '../run/read-prompt.js';
import { resumeCommand } from '../run/resume-command.js';
import { exitCodeOf, onEndingSignals, type EndingSignal } from '../process/signals.js';
import { parseJsonPrompts } from './json-prompts.js';
import { printMessages } from './print-messages.js';
import { withRefusedResult } from './refused-result.js';
import type { World } from '../command.js';
import { withFileCommands } from './own-commands.js';
import { sessionExitCode } from './session-exit-code.js';
import { warnOfSession } from './warn-of-session.js';

/**
 * Run a session without a user interface: `troupe -p`.
 *
 * @returns the exit code
 * @throws UsageError before anything is written
 */
export async function runHeadless(run: RunArguments, world: World): Promise<number> {
  const { stdin } = process;
  const err = openStderr();
  const warn = (line: string): void => void err.line(`troupe: ${line}`);

  const prepare = async (): Promise<PreparedRun> =>
    withFileCommands(await prepareRun(run, world, { warn }), run, world);
  const early = run.prompt === undefined ? await readEarly(run, world, warn) : undefined;
  const listed =
    run.inputFormat === 'json' && early !== undefined ? parseJsonPrompts(early) : undefined;
  const prepared = await withRefusedResult(run, prepare);
  const [prompt, ...later] = listed ?? [
    run.prompt === undefined ? early : await readPrompt(run.prompt, stdin, warn),
  ];
  for (const warning of [...describeWaiting(prepared.waiting), ...prepared.warnings]) warn(warning);
  const command = await withRefusedResult(run, () => commandOf(prompt, prepared));
  const isCommand = command !== undefined;

  const orchestrator = await withRefusedResult(run, () =>
    openOrchestrator(optionsOf(prepared, command)),
  );
  let signal: EndingSignal | undefined;
  const out = openStdout((error) => {
    warnOfOutput(error, warn);
    void orchestrator.close('stdout was closed');
  });
  const stopSignals = onEndingSignals((received) => {
    signal = received;
    return orchestrator.close(received);
  });
  await attachApprovers(orchestrator, run, prepared, err);

  if (run.promptTool !== undefined) {
    try {
      await withRefusedResult(run, () => orchestrator.ready());
    } catch (error) {
      await orchestrator.close('nobody can answer');
      stopSignals();
      if (signal === undefined) throw error;
    }
    if (signal !== undefined) return exitCodeOf(signal);
  }
  const session = await withRefusedResult(run, () =>
    orchestrator.session({
      ...prepared.start,
      onDefer: 'end',
      ...(prompt === undefined || isCommand ? {} : { prompt }),
      staysOpen: isCommand || later.length > 0,
    }),
  );
  const { missingTools } = prepared;
  const agents = { missingTools, used: [prepared.start.agent] };
  const warnOfDenied = warnOfSession(session, agents, warn);
  const send = (content: PromptContent): void => sendOrKill(session, content);
  if (isCommand && prompt !== undefined) send(prompt);
  const isTold =
    !['stream-json', 'markdown'].includes(run.outputFormat) && (run.verbose || err.isTerminal);
  const result = await printMessages(session, {
    format: run.outputFormat,
    out,
    warn,
    tell: isTold ? (line) => void err.line(line) : undefined,
    onResult({ is_error, deferred_tool_use: deferred }) {
      const next = is_error || deferred !== undefined ? undefined : later.shift();
      if (next === undefined) session.end();
      else send(next);
    },
  });

  await orchestrator.close('the session has ended');
  warnOfDenied();
  stopSignals();
  if (signal !== undefined) {
    if (run.persists)
      warn(`To resume: ${resumeCommand('troupe -p', session.sessionId, run.model)} "PROMPT"`);
    return exitCodeOf(signal);
  }
  if (out.isBroken) return 1;
  await tellOfDeferral(result, run, session, warn);
  return sessionExitCode(session, result, warn);
}

/** Tell people of a deferred call; programs have it in the result. */
async function tellOfDeferral(
  result: ResultMessage | undefined,
  run: RunArguments,
  { sessionId }: SessionHandle,
  warn: (line: string) => void,
): Promise<void> {
  const isForPeople = ['text', 'markdown'].includes(run.outputFormat);
  if (!isForPeople || result?.deferred_tool_use === undefined || result.is_error) return;
  const { tellDeferred } = await import('./tell-deferred.js');
  tellDeferred(result.deferred_tool_use, sessionId, run, warn);
}

/** Read the prompt of a run whose command line has none; undefined if a resumed session needs none. @throws UsageError */
async function readEarly(
  run: RunArguments,
  world: World,
  warn: (line: string) => void,
): Promise<string | undefined> {
  const { stdin } = process;
  if (run.inputFormat !== 'text' || (run.resume === undefined && !run.continues))
    return readPrompt(undefined, stdin, warn);
  const { readResumedPrompt } = await import('./resumed-prompt.js');
  return readResumedPrompt(run, world, stdin, warn);
}

/** Let the person at the terminal, and other commands, decide requests. */
async function attachApprovers(
  orchestrator: Orchestrator,
  { promptTool, waitsForApproval }: RunArguments,
  { folderFile }: PreparedRun,
  err: OutputWriter,
): Promise<void> {
  if (promptTool === undefined && process.stdin.isTTY === true && err.isTerminal) {
    const { createTerminalPrompt } = await import('../terminal/plain/terminal-place.js');
    const options = { folderFile: await folderFile() };
    orchestrator.approvals.onRequest(createTerminalPrompt(process.stdin, err, options));
  }
  if (!waitsForApproval) return;
  const { waitForApproval } = await import('../control/wait-for-approval.js');
  waitForApproval(orchestrator, (line) => void err.line(`troupe: ${line}`));
}

type PromptContent = Parameters<typeof sendPrompt>[1];

type TypedCommand = ReturnType<typeof readCommand>;

/** The command that the prompt is. @throws UsageError for an unknown one, or one that only a terminal has */
async function commandOf(
  prompt: PromptContent | undefined,
  { options: { skills, commands } }: PreparedRun,
): Promise<TypedCommand> {
  if (prompt === undefined) return undefined;
  if (typeof prompt === 'string' && prompt.startsWith('/')) {
    const { refuseTerminalOnly } = await import('./refuse-terminal-only.js');
    refuseTerminalOnly(prompt, skills);
  }
  const local = (commands ?? []).filter(({ type }) => type === 'local');
  return readCommand(prompt, withProgramPrompts(skills, commands), { local });
}

/** A new session that only answers a command leaves nothing on disk. */
function optionsOf({ options, start }: PreparedRun, command: TypedCommand): PreparedRun['options'] {
  const isNew = start.resume === undefined && start.continues === undefined;
  return command?.kind === 'local' && isNew ? { ...options, persists: false } : options;
}

/** A prompt that cannot be sent ends the session. */
function sendOrKill(session: SessionHandle, content: PromptContent): void {
  sendPrompt(session, content).catch((error: unknown) => session.kill(messageOf(error)));
}
