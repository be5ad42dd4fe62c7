import type { TaskId } from '../../core/ids.js';
import { isAtWork } from './task-activity.js';
import type { TaskRegistry } from './task-registry.js';

/** Sends `task.kill` and waits until the task and everything below it has ended. */
export function killTask(tasks: TaskRegistry, id: TaskId, reason: string) {
  tasks.send(id, { type: 'task.kill', reason });
  return tasks.waitFor(id);
}

/**
 * Sends a task that is waited for to the background: whoever waits goes on, and its owner is notified of its end.
 *
 * @returns whether it went: not where it has ended, ends, or is in the background
 */
export async function backgroundTask(tasks: TaskRegistry, id: TaskId): Promise<boolean> {
  const task = tasks.find(id);
  if (task?.isBackgrounded !== false || task.type === 'session' || !isAtWork(tasks, id))
    return false;
  tasks.send(id, { type: 'task.background' });
  return (await tasks.waitInForeground(id)).status === 'backgrounded';
}
