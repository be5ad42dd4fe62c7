import { basename, dirname, join } from 'node:path';
import type { Worktree } from '../../core/worktree.js';
import { gitIn, problemOf, type Environment } from './run-git.js';
import { WorktreeError } from './worktree-error.js';

/** In the repository that they are made from. `.claude/worktrees` is another program's: it tidies up there. */
const WORKTREES = '.troupe/worktrees';

/**
 * Says what the worktree of this name is to be, and makes nothing yet: below `.troupe/worktrees` of the repository's main
 * work tree, at the commit that `cwd` stands at, on a new branch `troupe/<name>`.
 *
 * @throws WorktreeError
 */
export async function planWorktree(
  name: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<Worktree> {
  const fail = (why: string, hint: string): WorktreeError =>
    new WorktreeError(`No worktree can be made of ${cwd}: ${why}. ${hint}`);
  const prepared = await gitIn(cwd, env);
  if ('failed' in prepared) throw fail(problemOf(prepared.failed, cwd), LEAVE_OUT);
  const { git } = prepared;
  const place = await git([...LOCATE, 'HEAD^{commit}']);
  // git stops at what it does not find, having told the rest
  const hasNoCommit = place.code !== 0 && place.stdout.split('\n').length > 3;
  if (hasNoCommit) throw fail('it has no commit yet', 'Commit first, or leave isolation out.');
  if (place.code !== 0) {
    const why = problemOf(place, cwd);
    throw fail(why, /not a git repository/.test(why) ? `${LEAVE_OUT} Or: git init.` : LEAVE_OUT);
  }
  const [top = '', common = '', prefix = '', base = ''] = place.stdout.split('\n');
  // in the main work tree also where this is a worktree itself, which may be removed; a submodule is its own
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
