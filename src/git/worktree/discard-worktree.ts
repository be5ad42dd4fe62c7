import { existsSync } from 'node:fs';
import type { Worktree } from '../../core/worktree.js';
import { gitIn, problemOf } from './run-git.js';
import type { Environment } from '../../files/folders.js';

/**
 * Remove a worktree and its branch with all the work in them. Never rejects.
 *
 * @returns why something of it stays, if it does
 */
export async function discardWorktree(
  { path, branch, repository }: Worktree,
  env: Environment,
): Promise<string | undefined> {
  const prepared = await gitIn(repository, env);
  if ('failed' in prepared)
    return `it cannot be removed: ${problemOf(prepared.failed, repository)}`;
  const { git } = prepared;
  const removed = await git(['worktree', 'remove', '--force', '--force', path]);
  if (existsSync(path)) return `it cannot be removed: ${problemOf(removed, repository)}`;
  const known = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]);
  if (known.code !== 0) return undefined;
  const dropped = await git(['branch', '--quiet', '-D', branch]);
  if (dropped.code === 0) return undefined;
  return `its folder is removed, but its branch cannot be: ${problemOf(dropped, repository)}`;
}

/**
 * Count the commits of a worktree's branch that are elsewhere as no work of the worktree: its tip becomes its base if
 * another branch, a tag or a remote has every commit.
 */
export async function withMergedBase(worktree: Worktree, env: Environment): Promise<Worktree> {
  const { path, branch, repository } = worktree;
  if (!existsSync(path)) return worktree;
  const prepared = await gitIn(path, env);
  if ('failed' in prepared) return worktree;
  const { git } = prepared;
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const tip = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], repository);
  const base = tip.stdout.trim();
  if (tip.code !== 0 || head.code !== 0 || head.stdout.trim() !== base) return worktree;
  const others = ['--not', `--exclude=${branch}`, '--branches', '--tags', '--remotes'];
  const own = await git(['rev-list', '-n1', base, ...others]);
  return own.code === 0 && own.stdout.trim() === '' ? { ...worktree, base } : worktree;
}
