import type { TaskId } from '../../core/ids.js';
import type { PermissionRequestEnd } from '../contract/permission-request-over-error.js';
import { isRunning } from '../tasks/task-activity.js';
import type { LiveTasks, TaskLookup } from '../tasks/task-registry.js';

/** How a request ended without a decision: its task, or a parent, is ending; otherwise it was withdrawn. */
export function endOfUndecided(
  tasks: TaskLookup & LiveTasks,
  taskId: TaskId,
): PermissionRequestEnd {
  for (let id: TaskId | undefined = taskId; id !== undefined; id = tasks.find(id)?.parentId)
    if (!isRunning(tasks, id)) return { status: 'ended' };
  return { status: 'withdrawn' };
}
