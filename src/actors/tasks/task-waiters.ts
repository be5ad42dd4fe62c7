import type { TaskId } from '../../core/ids.js';
import type { ForegroundEnd, TaskOutcome, TaskStateBase } from '../../core/task-types.js';

/** The callers that wait for the end of a task, or for its move to the background. */
export interface TaskWaiters {
  /** Resolve when the task has ended; reject with the signal's reason. */
  waitFor(id: TaskId, signal?: AbortSignal): Promise<TaskOutcome>;
  /** Like `waitFor`, but resolve with `backgrounded` if the task moves to the background. */
  waitInForeground(id: TaskId, signal?: AbortSignal): Promise<ForegroundEnd>;
  ended(id: TaskId, outcome: TaskOutcome): void;
  backgrounded(id: TaskId): void;
}

type Waiter = {
  readonly end: (outcome: TaskOutcome) => void;
  /** Only for a wait in the foreground. */
  readonly background: (() => void) | undefined;
};

export function createTaskWaiters(find: (id: TaskId) => TaskStateBase | undefined): TaskWaiters {
  const waiting = new Map<TaskId, Set<Waiter>>();

  const wait = <T>(
    id: TaskId,
    signal: AbortSignal | undefined,
    toWaiter: (resolve: (end: T | TaskOutcome) => void) => Waiter,
  ): Promise<T | TaskOutcome> =>
    new Promise((resolve, reject) => {
      const outcome = find(id)?.outcome;
      if (outcome !== undefined) return resolve(outcome);
      signal?.throwIfAborted();
      const waiters = waiting.get(id) ?? new Set();
      const stop = (): void => {
        waiters.delete(waiter);
        reject(signal?.reason as Error);
      };
      const waiter = toWaiter((end) => {
        signal?.removeEventListener('abort', stop);
        resolve(end);
      });
      waiters.add(waiter);
      waiting.set(id, waiters);
      signal?.addEventListener('abort', stop, { once: true });
    });

  return {
    waitFor: (id, signal) =>
      wait(id, signal, (resolve) => ({ end: resolve, background: undefined })),
    waitInForeground(id, signal) {
      const { isBackgrounded = false, outcome } = find(id) ?? {};
      if (isBackgrounded && outcome === undefined)
        return Promise.resolve({ status: 'backgrounded' });
      return wait<ForegroundEnd>(id, signal, (resolve) => ({
        end: resolve,
        background: () => resolve({ status: 'backgrounded' }),
      }));
    },
    ended(id, outcome) {
      for (const { end } of waiting.get(id) ?? []) end(outcome);
      waiting.delete(id);
    },
    backgrounded(id) {
      const waiters = waiting.get(id);
      for (const waiter of waiters ?? []) {
        if (waiter.background === undefined) continue;
        waiters?.delete(waiter);
        waiter.background();
      }
    },
  };
}
