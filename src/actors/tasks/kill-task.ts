import type { TaskId } from '../../core/ids.js';
import type { TaskRegistry } from './task-registry.js';

/** Send `task.kill`, and resolve when the task and everything below it has ended. */
export function killTask(tasks: TaskRegistry, id: TaskId, reason: string) {
  tasks.send(id, { type: 'task.kill', reason });
  return tasks.waitFor(id);
}
