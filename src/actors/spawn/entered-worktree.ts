import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Worktree } from '../../core/worktree.js';
import { addWorktree, claimWorktree } from '../../git/worktree/add-worktree.js';
import { discardWorktree, withMergedBase } from '../../git/worktree/discard-worktree.js';
import { planWorktree } from '../../git/worktree/plan-worktree.js';
import type { WorktreeHooks } from './worktree-hooks.js';
import type { JournalLines } from '../../journal/journal.js';
import type { PastEntry } from '../../journal/entries/worktree-entries.js';
import type {
  LeftWorktree,
  WorktreeCapabilities,
} from '../../tools/capabilities/worktree-capabilities.js';
import type { Environment } from '../../files/folders.js';

/** The worktree that a session's main agent works in. It is in the journal, so that a resumed session has it again. */
export interface EnteredWorktree extends WorktreeCapabilities {
  /** The worktree of an earlier process, if its folder is gone. */
  readonly lost: Worktree | undefined;
}

const OTHERWISE = 'Work in the folder itself.';

/** @param earlier the worktree that an earlier process did not leave */
export function createEnteredWorktree(
  {
    journal,
    env,
    sessionId,
    byHooks,
  }: {
    readonly journal: JournalLines;
    readonly env: Environment;
    readonly sessionId: string;
    readonly byHooks: WorktreeHooks;
  },
  earlier: PastEntry | undefined,
): EnteredWorktree {
  const isThere = earlier !== undefined && isUsable(earlier.worktree);
  let current = isThere ? earlier.worktree : undefined;
  const isOfOriginal = (worktree: Worktree): boolean =>
    worktree === earlier?.worktree && earlier.madeBy !== sessionId;
  const left = (): void => {
    current = undefined;
    journal.append('tasks.jsonl', { type: 'worktree.left' });
  };
  if (earlier !== undefined && !isThere) left();

  const remove = async (worktree: Worktree, isDiscarded: boolean): Promise<string | undefined> => {
    if (isOfOriginal(worktree)) return SHARED;
    if (worktree.isByHook === true) return byHooks.remove(worktree);
    if (isDiscarded) return discardWorktree(worktree, env);
    return byHooks.remove(await withMergedBase(worktree, env));
  };

  const addByGit = async (name: string, cwd: string): Promise<Worktree> => {
    const worktree = await planWorktree(name, { cwd, env, otherwise: OTHERWISE });
    await claimWorktree(worktree, env);
    await addWorktree(worktree, env, OTHERWISE);
    return worktree;
  };

  return {
    lost: isThere ? undefined : earlier?.worktree,
    entered: () => current,
    async enter(name, cwd) {
      const worktree = (await byHooks.make(name)) ?? (await addByGit(name, cwd));
      current = worktree;
      journal.append('tasks.jsonl', { type: 'worktree.entered', worktree });
      await journal.sync('tasks.jsonl');
      return worktree;
    },
    async leave(action): Promise<LeftWorktree> {
      if (current === undefined) throw new Error('no worktree was entered');
      const worktree = current;
      const why = action === 'keep' ? undefined : await remove(worktree, action === 'discard');
      const isLeft = why === undefined || !existsSync(worktree.path);
      if (isLeft) left();
      return { worktree, isLeft, why };
    },
  };
}

const SHARED = 'the session that this one is a copy of may use it';

/** Whether the folder is a worktree, and no link leads out of it. */
function isUsable({ path, cwd, isByHook }: Worktree): boolean {
  try {
    return realpathSync(cwd) === cwd && (isByHook === true || existsSync(join(path, '.git')));
  } catch {
    return false;
  }
}
