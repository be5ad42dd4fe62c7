import type { TaskStateBase } from '../../core/task-types.js';
import type { TaskCapabilities } from '../capabilities/task-capabilities.js';
import { ToolInputError } from '../tool-input-error.js';
import { findTask } from '../tasks/find-task.js';

/**
 * @param instead the tool for tasks of any kind
 * @throws ToolInputError if no task has this ID, or the task is not a shell
 */
export function findShell(
  tasks: TaskCapabilities,
  toolName: string,
  id: string,
  instead: string,
): TaskStateBase {
  const task = findTask(tasks, toolName, id);
  if (task.type === 'local_bash') return task;
  const message = `${toolName}: ${task.id} (${task.description}) is not a shell. For an agent use ${instead}.`;
  throw new ToolInputError(toolName, message, { details: { toolName, taskId: id } });
}
