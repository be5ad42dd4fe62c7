import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareGit, type GitAnswer, type SafeGit } from '../safe-git.js';
import type { Environment } from '../../files/folders.js';

/** Long enough for the checkout of a large repository. */
const TIMEOUT_MS = 300_000;
const MAX_BUFFER_BYTES = 256_000_000;

/** With these variables git would use another repository than that of the folder. */
const PLACES: readonly string[] = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
];

/**
 * Run git, and run it again while another process holds one of git's locks or is in the middle of its work.
 *
 * @param takeBack undoes a failed run
 */
export type RetryingGit = (
  args: readonly string[],
  cwd?: string,
  takeBack?: () => Promise<void>,
) => Promise<GitAnswer>;

/** Prepare git for the repository of this folder only, without programs of its configuration. */
export async function gitIn(
  cwd: string,
  env: Environment,
): Promise<{ readonly git: RetryingGit } | { readonly failed: GitAnswer }> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !PLACES.includes(name)));
  const prepared = await prepareGit({
    cwd,
    env: kept,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    maxBufferBytes: MAX_BUFFER_BYTES,
  });
  return 'failed' in prepared ? prepared : { git: withRetries(prepared.git) };
}

function withRetries(git: SafeGit): RetryingGit {
  return async (args, cwd, takeBack) => {
    for (const deadline = performance.now() + RETRY_LIMIT_MS; ;) {
      const answer = await git(args, cwd);
      if (answer.code === 0) return answer;
      await takeBack?.();
      if (!MET_ANOTHER.test(answer.stderr) || performance.now() > deadline) return answer;
      await sleep(LEAST_RETRY_DELAY_MS * (1 + 5 * Math.random())); // a random delay, so that two processes do not collide again
    }
  };
}

/** A lock that stays longer is of a killed git. */
const RETRY_LIMIT_MS = 20_000;
const LEAST_RETRY_DELAY_MS = 20;
/** Git's messages about the lock or the incomplete worktree of another process. */
const MET_ANOTHER = /\.lock\b|(?:could not|cannot|unable to) lock|failed to read \S*worktrees\//i;

/** Describe the error. */
export function problemOf({ code, stderr }: GitAnswer, cwd: string): string {
  if (code === 'ENOENT') return existsSync(cwd) ? 'git is not installed' : `${cwd} does not exist`;
  if (code === 'ABORT_ERR') return `git did not answer within ${TIMEOUT_MS / 1_000} s`;
  const line = stderr.split('\n').find((one) => /^(?:fatal|error): /.test(one));
  return line?.replace(/^\w+: /, '') ?? `git ended with ${code}`;
}
