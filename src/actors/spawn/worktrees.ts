import { existsSync } from 'node:fs';
import type { TaskId } from '../../core/ids.js';
import type { Worktree } from '../../core/worktree.js';
import { addWorktree, restoreWorktree } from '../../git/worktree/add-worktree.js';
import { WorktreeError } from '../../git/worktree/worktree-error.js';
import { planWorktree } from '../../git/worktree/plan-worktree.js';
import type { JournalLines } from '../../journal/journal.js';
import type { PastWorktree } from '../../journal/entries/worktree-entries.js';
import type { WorktreeHooks } from './worktree-hooks.js';
import type { TaskRecorder } from '../tasks/task-recorder.js';
import type { Environment } from '../../files/folders.js';

/**
 * The worktrees of a session's agents: those of git, or those that hooks make. They are made and removed one at a time, since git's own locks do not wait.
 * Each is in the journal before it is on disk, so that the next process finds the ones that this one leaves.
 */
export interface Worktrees {
  /** Make a worktree for the agent of this task, of the repository around `cwd`. @throws WorktreeError */
  make(taskId: TaskId, cwd: string): Promise<Worktree>;
  /** Return the worktree of a resumed agent. @throws WorktreeError if it is gone and cannot be made again */
  enter(taskId: TaskId, worktree: Worktree): Promise<Worktree>;
  /**
   * End the use of a worktree when the task is over, or never began: it is removed, unless there is work in it. Never
   * rejects.
   */
  settle(taskId: TaskId): Promise<void>;
  /** Settle the worktrees that earlier processes left. A worktree that another session may use stays. */
  recover(past: readonly PastWorktree[]): Promise<void>;
}

export function createWorktrees({
  journal,
  recorder,
  env,
  sessionId,
  byHooks,
}: {
  readonly journal: JournalLines;
  readonly recorder: Pick<TaskRecorder, 'note'>;
  readonly env: Environment;
  readonly sessionId: string;
  readonly byHooks: WorktreeHooks;
}): Worktrees {
  const live = new Map<TaskId, Worktree>();
  let newest: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = newest.then(run);
    newest = result.catch(() => undefined); // the caller gets the error
    return result;
  };

  const begin = (id: TaskId, worktree: Worktree): void => {
    live.set(id, worktree);
    journal.append('tasks.jsonl', { type: 'worktree.begun', id, worktree });
  };

  const over = (id: TaskId, { path, branch }: Worktree, why: string | undefined): void => {
    live.delete(id);
    if (why === undefined)
      return void journal.append('tasks.jsonl', { type: 'worktree.removed', id });
    const kept = { path, branch, why };
    journal.append('tasks.jsonl', { type: 'worktree.kept', id, kept });
    recorder.note(id, { worktree: kept });
  };

  return {
    make: (id, cwd) =>
      inTurn(async () => {
        const made = await byHooks.make(id);
        if (made !== undefined) {
          begin(id, made);
          return made;
        }
        const worktree = await planWorktree(id, { cwd, env });
        begin(id, worktree);
        try {
          await addWorktree(worktree, env);
          return worktree;
        } catch (error) {
          over(id, worktree, undefined); // undo a failed start
          throw error;
        }
      }),
    enter: (id, worktree) =>
      inTurn(async () => {
        const entered =
          worktree.isByHook === true
            ? await remade(id, worktree, byHooks)
            : await restoreWorktree(worktree, env);
        begin(id, entered);
        return entered;
      }),
    settle(id) {
      const worktree = live.get(id);
      if (worktree === undefined) return Promise.resolve();
      return inTurn(async () => over(id, worktree, await byHooks.remove(worktree)));
    },
    async recover(past) {
      for (const { id, worktree, madeBy } of past) {
        const isOurs = madeBy === sessionId;
        const why = isOurs
          ? await inTurn(() => byHooks.remove(worktree))
          : 'the session that this one is a copy of may use it';
        over(id, worktree, why);
      }
    },
  };
}

/** A folder of hooks as it was left, or a new one. @throws WorktreeError */
async function remade(id: TaskId, worktree: Worktree, byHooks: WorktreeHooks): Promise<Worktree> {
  if (existsSync(worktree.path)) return worktree;
  const made = await byHooks.make(id);
  if (made !== undefined) return made;
  throw new WorktreeError(`The worktree ${worktree.path} is gone, and no hook makes it again.`);
}
