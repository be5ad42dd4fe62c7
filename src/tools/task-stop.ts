import { z } from 'zod';
import { isTerminalTaskStatus, TASK_STATUSES, type TaskStateBase } from '../core/task-types.js';
import { buildTool } from './build-tool.js';
import { allowCoordination } from './tasks/allow-coordination.js';
import { findTask, TaskIdField } from './tasks/find-task.js';
import { requireTasks } from './tasks/require-tasks.js';
import { ToolInputError } from './tool-input-error.js';

export const TaskStopInput = z.object({ task_id: TaskIdField });
export type TaskStopInput = z.infer<typeof TaskStopInput>;

export const TaskStopOutput = z.object({
  task_id: z.string(),
  description: z.string(),
  /** How it ended: `killed`, unless it came to an end of its own first. */
  status: z.enum(TASK_STATUSES),
});
export type TaskStopOutput = Readonly<z.infer<typeof TaskStopOutput>>;

/** Ends a task and everything below it. Resolves when all of that has ended; a task that had ended is an error. */
export const TaskStopTool = buildTool<typeof TaskStopInput, TaskStopOutput>({
  name: 'TaskStop',
  searchHint: 'kill or cancel a background agent, shell, command',
  inputSchema: TaskStopInput,
  outputSchema: TaskStopOutput,
  toAutoClassifierInput: ({ task_id }) => task_id,
  checkPermissions: () => allowCoordination('ends a task of this session'),
  description: ({ task_id }) => `Stop ${task_id}`,
  prompt: () =>
    'Ends a task that runs in the background, an agent or a command, and everything that it started. Answers when all of it has ended. What the task has written stays readable with TaskOutput.',
  mapToolResultToToolResultBlockParam: (output, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: describeEnd(output),
  }),

  async call({ task_id }, context) {
    const tasks = requireTasks('TaskStop', context);
    const { signal } = context.abortController;
    signal.throwIfAborted();
    const task = findTask(tasks, 'TaskStop', task_id);
    if (isTerminalTaskStatus(task.status)) throw alreadyEndedError(task);
    if (!tasks.list().some(({ id }) => id === task.id)) throw notYoursError(task);
    const [outcome] = await Promise.all([
      tasks.kill(task.id, 'stopped by TaskStop'),
      tasks.waitFor(task.id, signal), // an abort ends the wait: this call may itself be below the task
    ]);
    const { id, description } = task;
    return { data: { task_id: id, description, status: outcome.status } };
  },
});

function describeEnd({ task_id, description, status }: TaskStopOutput): string {
  const which = `${task_id} (${description})`;
  if (status === 'killed') return `Stopped ${which} and everything below it.`;
  return `${which} had ${status} before it could be stopped.`;
}

function alreadyEndedError({ id, status, description }: TaskStateBase): ToolInputError {
  const message = `TaskStop: ${id} (${description}) has already ended, its status is ${status}. Nothing was stopped.`;
  return new ToolInputError('TaskStop', message);
}

function notYoursError({ id, description }: TaskStateBase): ToolInputError {
  const message = `TaskStop: ${id} (${description}) runs, but this agent may not stop it. Ask whoever started it, with SendMessage.`;
  return new ToolInputError('TaskStop', message);
}
