import type { World } from '../command.js';
import type { Orchestrator, ResultMessage, SessionHandle } from '../../api/types.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import { withFileCommands } from '../headless/own-commands.js';
import { printMessages } from '../headless/print-messages.js';
import { sessionExitCode } from '../headless/session-exit-code.js';
import { warnOfSession } from '../headless/warn-of-session.js';
import { openStderr, openStdout, warnOfOutput } from '../output/output-writer.js';
import { openOrchestrator, prepareRun, type PreparedRun } from '../run/prepare-run.js';
import { describeWaiting } from '../run/run-settings.js';
import { exitCodeOf, onEndingSignals, type EndingSignal } from '../process/signals.js';
import type { OpenedSession } from './client-session.js';
import { serveStreamInput, type StreamInput } from './serve-stream-input.js';

/**
 * Run a session for a stream-json client on stdin and stdout. The client's first line begins the session, and may
 * configure it.
 *
 * @returns the exit code
 * @throws UsageError before anything is written
 */
export async function runStream(run: RunArguments, world: World): Promise<number> {
  const { stdin } = process;
  const err = openStderr();
  const warn = (line: string): void => void err.line(`troupe: ${line}`);
  // a client may add agents
  const found = await prepareRun(run, world, { knowsAgents: false, warn });
  const prepared = await withFileCommands(found, run, world);
  for (const warning of [...describeWaiting(prepared.waiting), ...prepared.warnings]) warn(warning);

  const running: Running = {};
  let signal: EndingSignal | undefined;
  const end = async (reason: string): Promise<void> => {
    if (running.orchestrator === undefined) running.input?.stop();
    else await running.orchestrator.close(reason);
  };
  const out = openStdout((error) => {
    warnOfOutput(error, warn);
    void end('stdout was closed');
  });
  const stopSignals = onEndingSignals((received) => {
    signal = received;
    return end(received);
  });
  let sessionEnded = (): void => {};
  const untilSessionEnds = new Promise<void>((resolve) => (sessionEnded = resolve));

  const open = async ({ options, start, missingTools }: PreparedRun): Promise<OpenedSession> => {
    const orchestrator = await openOrchestrator(options);
    running.orchestrator = orchestrator;
    try {
      if (options.permissionPromptTool !== undefined) await orchestrator.ready();
      const session = orchestrator.session({ ...start, onDefer: 'end', staysOpen: true });
      running.session = session;
      const agents = { missingTools, used: [start.agent] };
      running.warnOfDenied = warnOfSession(session, agents, warn);
      const how = { format: 'stream-json', out, warn, tell: undefined } as const;
      running.printed = printMessages(session, how).finally(sessionEnded);
      const { approvals, mcp } = orchestrator;
      return { session, approvals, mcp };
    } catch (error) {
      delete running.orchestrator;
      await orchestrator.close('the session could not begin');
      throw error;
    }
  };
  const input = serveStreamInput({
    stdin,
    prepared,
    open,
    asksOnStdio: run.asksOnStdio,
    write: (line) => void out.data(`${JSON.stringify(line)}\n`),
    warn,
  });
  running.input = input;

  await Promise.race([input.ended, untilSessionEnds]);
  const result = await running.printed;
  input.stop();
  await running.orchestrator?.close('the session has ended');
  running.warnOfDenied?.();
  stopSignals();
  if (signal !== undefined) return exitCodeOf(signal);
  if (out.isBroken) return 1;
  if (input.refusal !== undefined) return 2;
  if (running.session === undefined || result === undefined) return input.badLines > 0 ? 2 : 0;
  return sessionExitCode(running.session, { is_error: isFailure(result) }, warn);
}

/** The parts of a run that exist so far. */
type Running = {
  orchestrator?: Orchestrator;
  input?: StreamInput;
  session?: SessionHandle;
  printed?: Promise<ResultMessage | undefined>;
  /** Reports the denied tool calls. */
  warnOfDenied?: () => void;
};

/** Whether a result is a failure of the process: a turn that the client itself has interrupted is not. */
function isFailure({ is_error: isError, terminal_reason: reason }: ResultMessage): boolean {
  return isError && reason !== 'aborted_streaming' && reason !== 'aborted_tools';
}
