import { findWorkTree, type Environment } from '../../files/folders.js';
import { prepareGit } from '../../git/safe-git.js';
import { UsageError } from '../../core/errors.js';

/** The changes of a work tree since its last commit. */
export type WorkTreeChanges = {
  /** A unified diff with the names of the files; empty if no known file has changed. */
  readonly diff: string;
  /** Files that git does not know, relative to the folder. */
  readonly untracked: readonly string[];
  /** The diff is longer than what is read of it. */
  readonly isCut: boolean;
};

const TIMEOUT_MS = 10_000;

/**
 * Read the changes of the work tree of a folder. Git runs no program that the configuration of the repository names.
 *
 * @throws UsageError if the folder is in no work tree, or git fails
 */
export async function readChanges({
  cwd,
  env,
}: {
  readonly cwd: string;
  readonly env: Environment;
}): Promise<WorkTreeChanges> {
  if (findWorkTree(cwd) === undefined)
    throw new UsageError(`${cwd} is in no git repository: there is nothing to compare with.`);
  const prepared = await prepareGit({ cwd, env, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if ('failed' in prepared) throw failed(prepared.failed);
  const { git } = prepared;
  const hasCommit = (await git(['rev-parse', '--quiet', '--verify', 'HEAD'])).code === 0;
  const [diff, untracked] = await Promise.all([
    git([...DIFF, hasCommit ? 'HEAD' : '--cached', '--']),
    git(['ls-files', '--others', '--exclude-standard', '-z']),
  ]);
  const bad = [diff, untracked].find(({ code }) => code !== 0);
  if (bad !== undefined) throw failed(bad);
  return {
    diff: diff.stdout,
    untracked: untracked.stdout.split('\0').filter((name) => name !== ''),
    isCut: diff.isCut,
  };
}

const DIFF = [
  '--no-optional-locks',
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=all',
];

function failed({ code, stderr }: { readonly code: number | string; readonly stderr: string }) {
  const [first = ''] = stderr.split('\n');
  return new UsageError(`git cannot compare: ${first === '' ? `it ended with ${code}` : first}`);
}
