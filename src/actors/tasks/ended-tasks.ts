import type { TaskId } from '../../core/ids.js';
import type { TaskStateBase } from '../../core/task-types.js';

/** Ended tasks that stay in memory. */
const MOST_ENDED = 200;

/**
 * Which ended tasks still need a notification, and which may leave memory: those whose parent was notified of the end,
 * or took the result, or has ended itself. The newest of these stay.
 */
export interface EndedTasks {
  ended(task: TaskStateBase): void;
  notified(task: TaskStateBase): void;
  /** Add a task of an earlier process, whose parent is gone. */
  restored(task: TaskStateBase): void;
  /** End the notifications about a task. */
  isOver(id: TaskId): boolean;
}

export function createEndedTasks({
  isLive,
  forget,
}: {
  isLive: (id: TaskId) => boolean;
  forget: (id: TaskId) => void;
}): EndedTasks {
  const over = new Set<TaskId>();
  /** Background tasks whose parent is not yet notified of their end, by parent. */
  const untold = new Map<TaskId, Set<TaskId>>();

  const settle = (id: TaskId): void => {
    over.add(id);
    for (const oldest of over) {
      if (over.size <= MOST_ENDED) return;
      over.delete(oldest);
      forget(oldest);
    }
  };

  return {
    isOver: (id) => over.has(id),
    ended({ id, parentId, isBackgrounded, notified }) {
      for (const left of untold.get(id) ?? []) settle(left);
      untold.delete(id);
      if (parentId === undefined) return; // a session ends with its process at the latest
      if (isBackgrounded !== true || notified || !isLive(parentId)) return settle(id);
      const others = untold.get(parentId) ?? new Set();
      untold.set(parentId, others.add(id));
    },
    notified({ id, parentId, outcome }) {
      if (outcome === undefined || parentId === undefined) return;
      untold.get(parentId)?.delete(id);
      settle(id);
    },
    restored({ id, type, notified, isBackgrounded }) {
      if (type !== 'session' && (notified || isBackgrounded !== true)) settle(id);
    },
  };
}
