import type { TaskId } from '../../core/ids.js';
import { isAtWork } from './task-activity.js';
import type { TaskRegistry } from './task-registry.js';

/**
 * Move a task in the foreground to the background: its caller continues, and its parent is notified of its end.
 *
 * @returns whether it moved; false if it has ended, is ending, or is in the background already
 */
export async function backgroundTask(tasks: TaskRegistry, id: TaskId): Promise<boolean> {
  const task = tasks.find(id);
  if (task?.isBackgrounded !== false || task.type === 'session' || !isAtWork(tasks, id))
    return false;
  tasks.send(id, { type: 'task.background' });
  return (await tasks.waitInForeground(id)).status === 'backgrounded';
}
