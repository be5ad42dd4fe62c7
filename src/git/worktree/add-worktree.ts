import { existsSync } from 'node:fs';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describeSystemError } from '../../core/system-error.js';
import type { Worktree } from '../../core/worktree.js';
import { gitIn, problemOf, type Environment, type PatientGit } from './run-git.js';
import { WorktreeError } from './worktree-error.js';

/** Make a worktree as planned; nothing is left of one that fails. Git's locks are waited for. @throws WorktreeError */
export async function addWorktree(worktree: Worktree, env: Environment): Promise<void> {
  const { path, branch, base, repository, cwd } = worktree;
  await makeFolder(worktree);
  const prepared = await gitIn(repository, env);
  const fail = (why: string): WorktreeError =>
    new WorktreeError(`The worktree ${path} cannot be made: ${why}. Leave isolation out.`);
  if ('failed' in prepared) throw fail(problemOf(prepared.failed, repository));
  const { git } = prepared;
  const add = ['worktree', 'add', '--quiet', '-b', branch, path, base];
  const answer = await git(add, repository, () => takeBack(git, worktree));
  if (answer.code !== 0) throw fail(problemOf(answer, repository));
  await mkdir(cwd, { recursive: true }); // of a folder without files git knows nothing
}

/**
 * Makes a worktree again that was removed: where its branch is still there, from that. What stands on such a branch is
 * somebody's work, so it is never taken to be unchanged.
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
  await git(['worktree', 'remove', path]); // what git remembers of one that was deleted by hand
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

/** The folder of worktrees, which keeps itself out of the repository. A link that leads elsewhere is not followed. */
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
      return; // it was there
    throw new WorktreeError(
      `Worktrees cannot be kept in ${folder}: ${describeSystemError(error)}.`,
    );
  }
}

/** Nobody has worked in it. */
async function takeBack(git: PatientGit, { path, branch, base }: Worktree): Promise<void> {
  await git(['worktree', 'remove', '--force', '--force', path]);
  const made = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]);
  if (made.code === 0) await git(['update-ref', '-d', `refs/heads/${branch}`, base]);
}
