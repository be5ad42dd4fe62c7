import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Worktree } from '../../core/worktree.js';
import { findWorkTree, realOf, type Environment } from '../../files/folders.js';
import { isInside } from '../../files/is-inside.js';
import { findWork } from '../../git/worktree/find-work.js';
import { removeWorktree } from '../../git/worktree/remove-worktree.js';
import { WorktreeError } from '../../git/worktree/worktree-error.js';
import type { HookSubject } from '../hooks/hook-cause.js';
import type { EventHooks } from '../hooks/session-hooks.js';

/** Worktrees that hooks make in place of git, and remove. */
export interface WorktreeHooks {
  /** Let hooks make a worktree; undefined if there are no hooks for it. @throws WorktreeError */
  make(name: string): Promise<Worktree> | undefined;
  /** Remove a worktree that has no work, with its hooks. Never rejects. @returns why it stays, if it does */
  remove(worktree: Worktree): Promise<string | undefined>;
}

/** @param subject the agent that the hooks run for; undefined once the session has ended */
export function createWorktreeHooks(
  hooks: EventHooks,
  settings: {
    readonly cwd: string;
    readonly env: Environment;
  },
  subject: () => HookSubject | undefined,
): WorktreeHooks {
  const { signal } = new AbortController();
  let newest: HookSubject | undefined;
  const cause = () => {
    newest = subject() ?? newest;
    return newest && { ...newest, matched: [] };
  };

  const make = async (name: string): Promise<Worktree> => {
    const by = cause();
    const said = by === undefined ? [] : await hooks.run('WorktreeCreate', by, { name }, signal);
    const blocking = said.find(({ output }) => output.decision === 'block');
    if (blocking !== undefined)
      throw new WorktreeError(
        `The hook ${blocking.name} made no worktree: ${blocking.output.reason ?? 'it gave no reason'}`,
      );
    const given = said.map(({ output }) => output.hookSpecificOutput?.['worktreePath']);
    const path = given.find((one) => typeof one === 'string' && one.trim() !== '');
    if (typeof path !== 'string')
      throw new WorktreeError(
        'The hooks of WorktreeCreate gave no path. Print the path of the worktree as the last line of stdout.',
      );
    const folder = checkedPath(path.trim(), settings.cwd);
    return {
      path: folder,
      branch: '',
      base: '',
      repository: settings.cwd,
      cwd: folder,
      isByHook: true,
    };
  };

  const removeByHook = async ({ path, isByHook }: Worktree): Promise<string | undefined> => {
    const by = cause();
    if (by !== undefined && hooks.hasAny('WorktreeRemove'))
      await hooks.run('WorktreeRemove', by, { worktree_path: path }, signal);
    else if (isByHook === true) return 'a hook made it, and no hook of WorktreeRemove removes it';
    return existsSync(path) && isByHook === true ? 'its hooks have left it' : undefined;
  };

  return {
    make: (name) => (hooks.hasAny('WorktreeCreate') ? make(name) : undefined),
    async remove(worktree) {
      if (worktree.isByHook === true) return removeByHook(worktree);
      if (hooks.hasAny('WorktreeRemove')) {
        const work = await findWork(worktree, settings.env);
        if (work !== undefined) return work;
        await removeByHook(worktree);
        if (!existsSync(worktree.path)) return undefined;
      }
      return removeWorktree(worktree, settings.env);
    },
  };
}

/** @throws WorktreeError for a path that is no folder, is not normalised, or has a link below the repository */
function checkedPath(path: string, cwd: string): string {
  const refuse = (why: string): WorktreeError =>
    new WorktreeError(`The path ${path} of a hook of WorktreeCreate cannot be used: ${why}.`);
  if (isAbsolute(path) && path.split('/').some((part) => part === '.' || part === '..'))
    throw refuse('it has "." or ".."');
  const folder = resolve(cwd, path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw refuse('it is not a folder');
  const root = realOf(findWorkTree(cwd) ?? cwd);
  for (let one = folder; isInside(one, root) && one !== root; one = dirname(one))
    if (lstatSync(one).isSymbolicLink()) throw refuse(`${one} is a link`);
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
  } catch {
    throw refuse('it cannot be entered');
  }
  return folder;
}
