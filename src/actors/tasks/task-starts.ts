import type { TaskId } from '../../core/ids.js';
import type { TaskStateBase } from '../../core/task-types.js';
import { TaskRefusedError } from '../contract/task-refused-error.js';

/**
 * The callers that wait for the outcome of `task.spawn`: the task exists, or it is refused, at the latest when its
 * parent ends.
 */
export interface TaskStarts {
  /** @throws TaskRefusedError */
  waitFor(id: TaskId, ownerId: TaskId): Promise<TaskStateBase>;
  started(task: TaskStateBase): void;
  refused(id: TaskId, reason: string): void;
  ownerEnded(ownerId: TaskId): void;
}

type Waiter = {
  readonly ownerId: TaskId;
  readonly resolve: (task: TaskStateBase) => void;
  readonly reject: (error: TaskRefusedError) => void;
};

export function createTaskStarts(): TaskStarts {
  const waiting = new Map<TaskId, Waiter>();
  const refuse = (id: TaskId, reason: string): void => {
    waiting.get(id)?.reject(new TaskRefusedError(reason));
    waiting.delete(id);
  };
  return {
    waitFor: (id, ownerId) =>
      new Promise((resolve, reject) => waiting.set(id, { ownerId, resolve, reject })),
    started(task) {
      waiting.get(task.id)?.resolve(task);
      waiting.delete(task.id);
    },
    refused: refuse,
    ownerEnded(ownerId) {
      for (const [id, waiter] of waiting)
        if (waiter.ownerId === ownerId) refuse(id, `the task ${ownerId} has ended`);
    },
  };
}
