import { z } from 'zod';
import { tryParseJson } from '../../../core/json/try-parse-json.js';
import type { ProcessSupervisor } from '../../../processes/process-supervisor.js';
import { unsendable } from './server-config.js';
import type { Environment } from '../../../files/folders.js';
import { runProgram } from '../../../settings/programs/run-program.js';

const TIMEOUT_MS = 10_000;

/**
 * Run the `headersHelper` of a server. Its output is in no error, because it may have a secret.
 *
 * @throws an error that says how the command ended
 */
export async function printHeaders(
  processes: Pick<ProcessSupervisor, 'run'>,
  {
    server,
    url,
    command,
    cwd,
    env,
    signal,
  }: {
    readonly server: string;
    readonly url: string;
    readonly command: string;
    readonly cwd: string;
    readonly env: Environment;
    readonly signal: AbortSignal;
  },
): Promise<Readonly<Record<string, string>>> {
  const { stdout, exitCode, isTimedOut } = await runProgram(processes, {
    taskId: `mcp:${server}:headers`,
    command,
    cwd,
    env: { ...env, CLAUDE_CODE_MCP_SERVER_NAME: server, CLAUDE_CODE_MCP_SERVER_URL: url },
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  signal.throwIfAborted();
  if (isTimedOut) throw new Error(`its headersHelper did not end within ${TIMEOUT_MS / 1_000} s`);
  if (exitCode !== 0)
    throw new Error(`its headersHelper ended with ${exitCode === null ? 'a signal' : exitCode}`);
  const headers = z.record(z.string(), z.string()).safeParse(tryParseJson(stdout));
  if (!headers.success)
    throw new Error('its headersHelper did not print a JSON object with text values');
  const [bad] = unsendable(headers.data);
  if (bad !== undefined)
    throw new Error(`its headersHelper printed "${bad}", which cannot be sent as a header`);
  return headers.data;
}
