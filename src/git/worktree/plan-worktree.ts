import { basename, dirname, join } from 'node:path';
import type { Worktree } from '../../core/worktree.js';
import { gitIn, problemOf } from './run-git.js';
import type { Environment } from '../../files/folders.js';
import { WorktreeError } from './worktree-error.js';

/**
 * The folder in the repository of the worktrees. `.claude/worktrees` belongs to another program, which cleans it up.
 */
const WORKTREES = '.troupe/worktrees';

/**
 * Plan the worktree of this name, and make nothing yet: below `.troupe/worktrees` of the repository's main work tree,
 * at the present commit of `cwd`, on a new branch `troupe/<name>`.
 *
 * @param otherwise what works without a worktree, as a sentence for the error
 * @throws WorktreeError
 */
export async function planWorktree(
  name: string,
  {
    cwd,
    env,
    otherwise = LEAVE_OUT,
  }: { readonly cwd: string; readonly env: Environment; readonly otherwise?: string },
): Promise<Worktree> {
  const fail = (why: string, hint: string): WorktreeError =>
    new WorktreeError(`No worktree of ${cwd} can be made: ${why}. ${hint}`);
  const prepared = await gitIn(cwd, env);
  if ('failed' in prepared) throw fail(problemOf(prepared.failed, cwd), otherwise);
  const { git } = prepared;
  const place = await git([...LOCATE, 'HEAD^{commit}']);
  // git prints the other answers before it stops at a missing one
  const hasNoCommit = place.code !== 0 && place.stdout.split('\n').length > 3;
  if (hasNoCommit) throw fail('it has no commit yet', `Commit first. ${otherwise}`);
  if (place.code !== 0) {
    const why = problemOf(place, cwd);
    throw fail(why, /not a git repository/.test(why) ? `${otherwise} Or: git init.` : otherwise);
  }
  const [top = '', common = '', prefix = '', base = ''] = place.stdout.split('\n');
  // The main work tree also holds the worktrees of a worktree, which may be removed; a submodule holds its own.
  const repository = basename(common) === '.git' ? dirname(common) : top;
  const path = join(repository, WORKTREES, name);
  const branch = `troupe/${name}`;
  return { path, branch, base, repository, cwd: join(path, prefix.replace(/\/$/, '')) };
}

const LEAVE_OUT = 'Leave isolation out to work in the folder itself.';
const LOCATE = [
  'rev-parse',
  '--path-format=absolute',
  '--show-toplevel',
  '--git-common-dir',
  '--show-prefix',
];
