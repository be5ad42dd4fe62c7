import { existsSync } from 'node:fs';
import { mkdir, realpath, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describeSystemError } from '../../core/system-error.js';
import type { Worktree } from '../../core/worktree.js';
import { gitIn, problemOf, type RetryingGit } from './run-git.js';
import type { Environment } from '../../files/folders.js';
import { WorktreeError } from './worktree-error.js';

/**
 * Take the name of a planned worktree: its folder, still empty. Nobody else can take it afterwards.
 *
 * @throws WorktreeError if a folder or a branch has the name
 */
export async function claimWorktree(worktree: Worktree, env: Environment): Promise<void> {
  const { path, branch, repository } = worktree;
  await makeFolder(worktree);
  const fail = (why: string): WorktreeError =>
    new WorktreeError(`The worktree ${path} cannot be made: ${why}. Choose another name.`);
  await mkdir(path).catch((error: unknown) => {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw fail(isTaken ? 'the folder exists already' : describeSystemError(error));
  });
  const prepared = await gitIn(repository, env);
  const known =
    'failed' in prepared
      ? prepared.failed
      : await prepared.git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]);
  if (known.code === 1) return;
  await rmdir(path);
  throw fail(
    known.code === 0 ? `the branch ${branch} exists already` : problemOf(known, repository),
  );
}

/**
 * Make a worktree as planned. A failure leaves nothing behind. Waits for git's locks.
 *
 * @param otherwise what works without a worktree, as a sentence for the error
 * @throws WorktreeError
 */
export async function addWorktree(
  worktree: Worktree,
  env: Environment,
  otherwise = 'Leave isolation out.',
): Promise<void> {
  const { path, branch, base, repository, cwd } = worktree;
  await makeFolder(worktree);
  const prepared = await gitIn(repository, env);
  const fail = (why: string): WorktreeError =>
    new WorktreeError(`The worktree ${path} cannot be made: ${why}. ${otherwise}`);
  if ('failed' in prepared) throw fail(problemOf(prepared.failed, repository));
  const { git } = prepared;
  const add = ['worktree', 'add', '--quiet', '-b', branch, path, base];
  const answer = await git(add, repository, () => takeBack(git, worktree));
  if (answer.code !== 0) throw fail(problemOf(answer, repository));
  await mkdir(cwd, { recursive: true }); // git does not know folders without files
}

/**
 * Make a removed worktree again, from its branch if that still exists. Such a branch has work, so the worktree always
 * counts as changed.
 *
 * @throws WorktreeError
 */
export async function restoreWorktree(worktree: Worktree, env: Environment): Promise<Worktree> {
  const { path, branch, repository, cwd } = worktree;
  if (existsSync(path)) return worktree;
  const prepared = await gitIn(repository, env);
  const fail = (why: string): WorktreeError =>
    new WorktreeError(`The worktree ${path} cannot be made again: ${why}.`);
  if ('failed' in prepared) throw fail(problemOf(prepared.failed, repository));
  const { git } = prepared;
  await git(['worktree', 'remove', path]); // git still remembers a worktree that was deleted by hand
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const known = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]);
  if (known.code !== 0) {
    const again = { ...worktree, base: head.stdout.trim() };
    await addWorktree(again, env);
    return again;
  }
  await makeFolder(worktree);
  const answer = await git(['worktree', 'add', '--quiet', path, branch]);
  if (answer.code !== 0) throw fail(problemOf(answer, repository));
  await mkdir(cwd, { recursive: true });
  return { ...worktree, base: '' };
}

/** Make the folder of worktrees, which git ignores. A link to another place is not followed. */
async function makeFolder({ path, repository }: Worktree): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true });
    const real = await realpath(folder);
    const expected = join(await realpath(repository), relative(repository, folder));
    if (real !== expected) throw new Error(`it leads to ${real}`);
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code === 'EEXIST' &&
      existsSync(join(folder, '.gitignore'))
    )
      return; // it existed
    throw new WorktreeError(
      `Worktrees cannot be kept in ${folder}: ${describeSystemError(error)}.`,
    );
  }
}

/** Remove an unused worktree. */
async function takeBack(git: RetryingGit, { path, branch, base }: Worktree): Promise<void> {
  await git(['worktree', 'remove', '--force', '--force', path]);
  await rmdir(path).catch(() => {}); // it is there if git had not begun
  const made = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]);
  if (made.code === 0) await git(['update-ref', '-d', `refs/heads/${branch}`, base]);
}
