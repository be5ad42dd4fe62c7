import {
  isTerminalTaskStatus,
  type TaskStateBase,
  type TaskStatus,
} from '../../core/task-types.js';
import type { TaskCapabilities } from '../capabilities/task-capabilities.js';
import { ToolInputError } from '../tool-input-error.js';

/**
 * End a task and everything below it. Resolves with the outcome when all of that has ended: `killed`, unless the task
 * ended by itself first.
 *
 * @throws ToolInputError if the task had ended before, or is not below the agent
 */
export async function stopTask(
  tasks: TaskCapabilities,
  toolName: string,
  task: TaskStateBase,
  signal: AbortSignal,
): Promise<TaskStatus> {
  if (isTerminalTaskStatus(task.status)) throw alreadyEndedError(toolName, task);
  if (!tasks.list().some(({ id }) => id === task.id)) throw notYoursError(toolName, task);
  const [outcome] = await Promise.all([
    tasks.kill(task.id, `stopped by ${toolName}`),
    tasks.waitFor(task.id, signal), // an abort ends the wait: this call may itself be below the task
  ]);
  return outcome.status;
}

/** Make the result for the model. */
export function describeStop(
  { id, description }: Pick<TaskStateBase, 'description'> & { readonly id: string },
  status: TaskStatus,
): string {
  const which = `${id} (${description})`;
  if (status === 'killed') return `Stopped ${which} and everything below it.`;
  return `${which} had ${status} before it could be stopped.`;
}

function alreadyEndedError(toolName: string, { id, status, description }: TaskStateBase) {
  const message = `${toolName}: ${id} (${description}) has already ended, its status is ${status}. Nothing was stopped.`;
  return new ToolInputError(toolName, message);
}

function notYoursError(toolName: string, { id, description }: TaskStateBase): ToolInputError {
  const message = `${toolName}: ${id} (${description}) runs, but this agent may not stop it. Ask the agent that started it, with SendMessage.`;
  return new ToolInputError(toolName, message);
}
