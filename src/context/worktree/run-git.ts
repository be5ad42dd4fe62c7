import { existsSync } from 'node:fs';
import { prepareGit, type GitAnswer, type SafeGit } from '../safe-git.js';

/** Long enough for the checkout of a large repository. */
const TIMEOUT_MS = 300_000;
const MAX_BUFFER_BYTES = 256_000_000;

/** With these git would look at another repository than that of the folder. */
const PLACES: readonly string[] = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
];

export type Environment = Readonly<Record<string, string | undefined>>;

/** Git as it runs nothing that a repository names, for the repository of this folder only. */
export async function gitIn(
  cwd: string,
  env: Environment,
): Promise<{ readonly git: SafeGit } | { readonly failed: GitAnswer }> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !PLACES.includes(name)));
  return prepareGit({
    cwd,
    env: kept,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    maxBufferBytes: MAX_BUFFER_BYTES,
  });
}

/** What went wrong, in words. */
export function problemOf({ code, stderr }: GitAnswer, cwd: string): string {
  if (code === 'ENOENT') return existsSync(cwd) ? 'git is not installed' : `${cwd} is not there`;
  if (code === 'ABORT_ERR') return `git did not answer within ${TIMEOUT_MS / 1_000} s`;
  const line = stderr.split('\n').find((one) => /^(?:fatal|error): /.test(one));
  return line?.replace(/^\w+: /, '') ?? `git ended with ${code}`;
}
