import type { RunArguments } from '../arguments/command.js';
import { createOutputWriter } from '../output-writer.js';
import { openOrchestrator, prepareRun, type PreparedRun } from '../prepare-run.js';
import { readPrompt } from '../read-prompt.js';
import { exitCodeOf, onEndingSignals, type EndingSignal } from '../signals.js';
import { serveStreamInput, type StreamInput } from '../stream-input/serve-stream-input.js';
import { printMessages } from './print-messages.js';

/**
 * Runs a session without a user interface: `troupe -p`, or a stream-json client on stdin and stdout.
 *
 * @returns the exit code
 * @throws UsageError before anything was written anywhere
 */
export async function runHeadless(run: RunArguments): Promise<number> {
  const { stdin, stdout, stderr } = process;
  const warn = (line: string): void => void stderr.write(`troupe: ${line}\n`);
  const isStream = run.inputFormat === 'stream-json';

  const prepare = (): Promise<PreparedRun> =>
    prepareRun(run, {
      cwd: process.cwd(),
      env: process.env,
      isRoot: process.getuid?.() === 0,
    });
  const early =
    run.prompt === undefined && !isStream ? await readPrompt(undefined, stdin, warn) : undefined;
  const prepared = await prepare();
  const prompt = isStream ? undefined : (early ?? (await readPrompt(run.prompt, stdin, warn)));
  for (const warning of prepared.warnings) warn(warning);

  const orchestrator = await openOrchestrator(prepared.options);
  let signal: EndingSignal | undefined;
  const out = createOutputWriter(stdout, () => void orchestrator.close('stdout was closed'));
  const stopSignals = onEndingSignals((received) => {
    signal = received;
    void orchestrator.close(received);
  });
  if (!isStream && stdin.isTTY === true && stderr.isTTY) {
    const { createTerminalPrompt } = await import('../terminal-prompt.js');
    orchestrator.approvals.onRequest(createTerminalPrompt(stdin, stderr));
  }

  const session = orchestrator.session({
    ...prepared.start,
    ...(prompt === undefined ? { staysOpen: true } : { prompt }),
  });
  session.events.on('mcp.status', ({ name, status, problem = '' }) => {
    if (status === 'failed') warn(`The MCP server "${name}" is not connected: ${problem}`);
  });
  const input: StreamInput | undefined = isStream
    ? serveStreamInput({
        stdin,
        session,
        approvals: orchestrator.approvals,
        prepared,
        asksOnStdio: run.asksOnStdio,
        write: (line) => void out.write(`${JSON.stringify(line)}\n`),
        warn,
      })
    : undefined;
  const isTold = run.outputFormat !== 'stream-json' && (run.verbose || stderr.isTTY);
  const result = await printMessages(session, {
    format: run.outputFormat,
    out,
    warn,
    tell: isTold ? (line) => void stderr.write(`${line}\n`) : undefined,
  });

  input?.stop();
  await orchestrator.close('the session has ended');
  stopSignals();
  if (signal !== undefined) return exitCodeOf(signal);
  if (out.isBroken) return 1;
  if (result !== undefined) return result.is_error ? 1 : 0;
  return input !== undefined && input.badLines > 0 ? 2 : 0; // nothing was asked of it
}
