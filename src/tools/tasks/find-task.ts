import { z } from 'zod';
import { toTaskId } from '../../core/ids.js';
import type { TaskStateBase } from '../../core/task-types.js';
import type { TaskCapabilities } from '../capabilities/task-capabilities.js';
import { ToolInputError } from '../tool-input-error.js';

/** Most IDs that an error lists. */
const MOST_LISTED = 20;

/** ID of a task from the model. Whether the task exists is checked when it is used. */
export const TaskIdField = z
  .string()
  .min(1)
  .describe('The ID of the task, from the result that started it');

/** @throws ToolInputError that lists the tasks, if none has this ID. */
export function findTask(tasks: TaskCapabilities, toolName: string, id: string): TaskStateBase {
  const task = toTaskId(id) === null ? undefined : tasks.find(id);
  if (task === undefined) throw unknownTaskError(tasks, toolName, id);
  return task;
}

function unknownTaskError(tasks: TaskCapabilities, toolName: string, id: string): ToolInputError {
  const known = tasks.list();
  const newest = known.slice(-MOST_LISTED).map((task) => `${task.id} (${task.status})`);
  const older = known.length - newest.length;
  const more = older > 0 ? ` and ${older} older` : '';
  const there =
    known.length === 0 ? 'There are no tasks.' : `There are: ${newest.join(', ')}${more}.`;
  const shown = JSON.stringify(id.length > 60 ? `${id.slice(0, 60)}…` : id);
  const message = `${toolName}: no task has the ID ${shown}. ${there}`;
  return new ToolInputError(toolName, message, { details: { toolName, taskId: id } });
}
