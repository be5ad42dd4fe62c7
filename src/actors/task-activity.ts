import type { TaskId } from '../core/ids.js';
import type { TaskContext } from '../machines/task-setup.js';
import type { TaskBoard } from './task-board.js';

type LiveTasks = Pick<TaskBoard, 'actorOf'>;

/** Whether mail to a task's agent will be read: not if the task, or one above it, is being ended. */
export function isAtWork(tasks: LiveTasks, id: TaskId): boolean {
  const snapshot = tasks.actorOf(id)?.getSnapshot();
  if (snapshot === undefined) return false;
  return snapshot.matches('pending') || snapshot.matches({ running: 'active' });
}

/** Whether a task and everything below it have nothing to do until a message wakes them. */
export function isIdle(tasks: LiveTasks, id: TaskId): boolean {
  const context: TaskContext | undefined = tasks.actorOf(id)?.getSnapshot().context;
  return context?.isResting === true;
}
