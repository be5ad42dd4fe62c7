/** Checks that this machine has what runs need: each thing is really used. For front ends. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '../../files/folders.js';
import { findLaunch, toArguments, type Launch } from '../../processes/start/containment.js';
import { SECRETS } from '../../processes/start/shell-environment.js';
import { runRipgrep } from '../../tools/files/search/ripgrep.js';

const execute = promisify(execFile);

/** Run `echo` in the shell of commands. @throws Error if no shell is found, or it does not work */
export async function tryShell(env: Environment, timeoutMs: number): Promise<Launch> {
  const launch = await findLaunch(env);
  const [file = '', ...args] = toArguments({ ...launch, prefix: [] }, 'echo works');
  const { stdout } = await execute(file, args, { env: { ...env }, timeout: timeoutMs });
  if (stdout !== 'works\n') throw new Error(`${file} printed "${stdout}" instead of "works"`);
  return launch;
}

/** The version that ripgrep prints; empty if it prints none. */
export async function tryRipgrep(
  timeoutMs: number,
): Promise<{ readonly version: string; readonly complaint: string | undefined }> {
  let version = '';
  const { complaint } = await runRipgrep({
    args: ['--version'],
    cwd: process.cwd(),
    separator: '\n',
    signal: AbortSignal.timeout(timeoutMs),
    onRecord(line) {
      version ||= line;
      return true;
    },
  });
  return { version, complaint };
}

/** Find a variable with a secret that commands should not see. */
export function findSecret(env: Environment): string | undefined {
  return [...SECRETS].find((name) => (env[name] ?? '') !== '');
}
