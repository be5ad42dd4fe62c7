import { UsageError } from '../../core/errors.js';
import type { Environment } from '../../files/folders.js';
import { prepareGit, type GitAnswer } from '../../git/safe-git.js';

/** A state of a repository: a branch or tag, or a commit; the newest if both are absent. */
export type RepositoryState = {
  readonly url: string;
  readonly ref?: string | undefined;
  readonly sha?: string | undefined;
};

const LONGEST_MS = 300_000;
const PROTOCOLS = 'https:http:ssh:git:file';
const COMMIT = /^[0-9a-f]{40}$/;

/**
 * Fetch one state of a repository into an empty folder. Nothing of the repository runs, and no submodules are fetched.
 *
 * @returns the ID of the commit
 * @throws UsageError if git fails
 */
export async function fetchRepository(
  { url, ref, sha }: RepositoryState,
  folder: string,
  env: Environment,
): Promise<string> {
  const fail = (answer: GitAnswer): never => {
    throw new UsageError(`${url} cannot be fetched: ${problemOf(answer)}.`);
  };
  if (sha !== undefined && !COMMIT.test(sha))
    throw new UsageError(`${url} cannot be fetched: "${sha}" is not the ID of a commit.`);
  const signal = AbortSignal.timeout(LONGEST_MS);
  const own = { ...env, GIT_LFS_SKIP_SMUDGE: '1', GIT_DIR: undefined, GIT_WORK_TREE: undefined };
  const prepared = await prepareGit({ cwd: folder, env: own, signal, protocols: PROTOCOLS });
  if ('failed' in prepared) return fail(prepared.failed);
  const run = async (...args: readonly string[]): Promise<string> => {
    const answer = await prepared.git(args);
    return answer.code === 0 ? answer.stdout.trim() : fail(answer);
  };
  await run('init', '--quiet', '--template=');
  await run(
    'fetch',
    '--quiet',
    '--depth=1',
    '--no-tags',
    '--no-recurse-submodules',
    '--',
    url,
    sha ?? ref ?? 'HEAD',
  );
  await run('checkout', '--quiet', '--detach', 'FETCH_HEAD');
  return run('rev-parse', 'HEAD');
}

function problemOf({ code, stderr }: GitAnswer): string {
  if (code === 'ENOENT') return 'git is not installed';
  if (code === 'ABORT_ERR') return `git did not end within ${LONGEST_MS / 1_000} s`;
  const line = stderr.split('\n').findLast((one) => /^(?:fatal|error): /.test(one));
  return (line?.replace(/^\w+: /, '') ?? `git ended with ${code}`).replace(/\.$/, '');
}
