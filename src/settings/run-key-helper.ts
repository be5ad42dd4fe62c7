import { ModelKeyHelperError } from '../model/errors/model-key-helper-error.js';
import { createProcessSupervisor } from '../processes/process-supervisor.js';

const TIMEOUT_MS = 60_000;
/** Most characters of stderr in an error. */
const TOLD_CHARS = 500;

/**
 * Run the command of the setting `apiKeyHelper` like a hook, and return its output, which is never kept.
 *
 * @throws ModelKeyHelperError with its stderr; the signal's reason if it is aborted
 */
export async function runKeyHelper({
  command,
  cwd,
  env,
  signal,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}): Promise<string> {
  const processes = createProcessSupervisor({ env });
  try {
    const { stdout, stderr, exitCode, isTimedOut } = await processes.run({
      taskId: 'apiKeyHelper',
      command,
      cwd,
      env: { ...env, CLAUDE_PROJECT_DIR: cwd, TROUPE_PROJECT_DIR: cwd },
      timeoutMs,
      signal,
      onOutput: () => {},
      outputFile: '/dev/null',
      leavesSandbox: true,
    });
    signal.throwIfAborted();
    const said = describeSaid(stderr, stdout.trim());
    if (isTimedOut)
      throw new ModelKeyHelperError(`it did not end within ${timeoutMs / 1_000} s${said}`);
    if (exitCode === null) throw new ModelKeyHelperError(`a signal ended it${said}`);
    if (exitCode !== 0) throw new ModelKeyHelperError(`it exited with ${exitCode}${said}`);
    if (stdout.trim() === '') throw new ModelKeyHelperError(`it printed nothing${said}`);
    return stdout;
  } finally {
    await processes.close();
  }
}

/** The stderr of the command on one line, without the printed text, which may be a key. */
function describeSaid(stderr: string, printed: string): string {
  const text = (printed === '' ? stderr : stderr.replaceAll(printed, '[hidden]'))
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '');
  const told = text.length > TOLD_CHARS ? `${text.slice(0, TOLD_CHARS)}…` : text;
  return told === '' ? '' : `, and wrote: ${told}`;
}
