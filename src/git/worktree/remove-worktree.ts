import { existsSync } from 'node:fs';
import type { Worktree } from '../../core/worktree.js';
import { findWork } from './find-work.js';
import { gitIn, problemOf } from './run-git.js';
import type { Environment } from '../../files/folders.js';

/**
 * Remove a worktree and its branch if that loses nothing: git itself checks again, and the branch is removed only at
 * its first commit. Never rejects.
 *
 * @returns why it stays, if it does
 */
export async function removeWorktree(
  worktree: Worktree,
  env: Environment,
): Promise<string | undefined> {
  const { path, branch, base, repository } = worktree;
  const work = await findWork(worktree, env);
  if (work !== undefined) return work;
  const prepared = await gitIn(repository, env);
  if ('failed' in prepared)
    return `it cannot be removed: ${problemOf(prepared.failed, repository)}`;
  const { git } = prepared;
  let answer = await git(['worktree', 'remove', path]);
  // git removes no worktree with submodules, even empty ones; these were checked
  if (/submodules/.test(answer.stderr)) answer = await git(['worktree', 'remove', '--force', path]);
  if (existsSync(path)) return `it cannot be removed: ${problemOf(answer, repository)}`;
  await git(['update-ref', '-d', `refs/heads/${branch}`, base]);
  return undefined;
}
