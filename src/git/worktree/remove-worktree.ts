import { existsSync } from 'node:fs';
import type { Worktree } from '../../core/worktree.js';
import { findWork } from './find-work.js';
import { gitIn, problemOf, type Environment } from './run-git.js';

/**
 * Removes a worktree and its branch where nothing is lost with them: git itself looks once more, and the branch goes only
 * while it stands where it began. Never rejects.
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
  // git removes none that has submodules, also where they are empty: that was looked at
  if (/submodules/.test(answer.stderr)) answer = await git(['worktree', 'remove', '--force', path]);
  if (existsSync(path)) return `it cannot be removed: ${problemOf(answer, repository)}`;
  await git(['update-ref', '-d', `refs/heads/${branch}`, base]);
  return undefined;
}
