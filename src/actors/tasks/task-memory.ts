import type { AnyActorRef } from 'xstate';
import type { AppState } from '../../core/agents/app-state.js';
import type { TaskId } from '../../core/ids.js';
import type { TaskStateBase } from '../../core/task-types.js';
import { createEndedTasks } from './ended-tasks.js';

/**
 * The tasks of a session that are in memory. An ended task may leave once its parent was notified, took its result, or
 * has ended itself; the newest of them stay.
 */
export interface TaskMemory {
  /** The actors of live tasks. */
  readonly actors: Map<TaskId, AnyActorRef>;
  /** Oldest first. */
  readonly tasks: ReadonlyMap<TaskId, TaskStateBase>;
  /** Whether a task has left. */
  hasForgotten(): boolean;
  /** Live tasks, and those whose parent is not yet notified of their end; a new record after each change. */
  record(): AppState['tasks'];
  put(task: TaskStateBase): void;
  /**
   * Note that a task has ended, that its parent was notified, or that an earlier process had it: the task may leave
   * then.
   */
  settle(how: 'ended' | 'notified' | 'restored', task: TaskStateBase): void;
}

/** @param onForget called before a task leaves memory */
export function createTaskMemory(onForget: (id: TaskId) => void): TaskMemory {
  const actors = new Map<TaskId, AnyActorRef>();
  const tasks = new Map<TaskId, TaskStateBase>();
  let record: AppState['tasks'] | undefined;
  let hasForgotten = false;
  const endings = createEndedTasks({
    isLive: (id) => actors.has(id),
    forget(id) {
      onForget(id);
      tasks.delete(id);
      hasForgotten = true;
    },
  });
  return {
    actors,
    tasks,
    hasForgotten: () => hasForgotten,
    record: () => (record ??= Object.fromEntries([...tasks].filter(([id]) => !endings.isOver(id)))),
    put(task) {
      tasks.set(task.id, task);
      record = undefined;
    },
    settle(how, task) {
      endings[how](task);
      record = undefined;
    },
  };
}
