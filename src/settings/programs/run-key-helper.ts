import { ModelKeyHelperError } from '../../model/errors/model-key-helper-error.js';
import { createProcessSupervisor } from '../../processes/process-supervisor.js';
import type { Environment } from '../../files/folders.js';
import { runProgram } from './run-program.js';

const TIMEOUT_MS = 60_000;

/**
 * Run the command of the setting `apiKeyHelper` like a hook, and return its output, which is never kept. Its stderr is in
 * no error, because it may have the key: `set -x`.
 *
 * @throws ModelKeyHelperError says how it ended; the signal's reason if it is aborted
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
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}): Promise<string> {
  const processes = createProcessSupervisor({ env });
  try {
    const { stdout, exitCode, isTimedOut } = await runProgram(processes, {
      taskId: 'apiKeyHelper',
      command,
      cwd,
      env: { ...env, CLAUDE_PROJECT_DIR: cwd, TROUPE_PROJECT_DIR: cwd },
      timeoutMs,
      signal,
    });
    signal.throwIfAborted();
    if (isTimedOut) throw new ModelKeyHelperError(`it did not end within ${timeoutMs / 1_000} s`);
    if (exitCode === null) throw new ModelKeyHelperError('a signal ended it');
    if (exitCode !== 0) throw new ModelKeyHelperError(`it exited with ${exitCode}`);
    if (stdout.trim() === '') throw new ModelKeyHelperError('it printed nothing');
    return stdout;
  } finally {
    await processes.close();
  }
}
