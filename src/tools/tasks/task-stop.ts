import { z } from 'zod';
import { TASK_STATUSES } from '../../core/task-types.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { findTask, TaskIdField } from './find-task.js';
import { requireTasks } from './require-tasks.js';
import { describeStop, stopTask } from './stop-task.js';

export const TaskStopInput = z.object({ task_id: TaskIdField });
export type TaskStopInput = z.infer<typeof TaskStopInput>;

export const TaskStopOutput = z.lazy(() =>
  z.object({
    task_id: z.string(),
    description: z.string(),
    /** The final status: `killed`, unless the task ended by itself first. */
    status: z.enum(TASK_STATUSES),
  }),
);
export type TaskStopOutput = Readonly<z.infer<typeof TaskStopOutput>>;

/**
 * Ends a task and everything below it. Resolves when all of that has ended; a task that had ended before is an error.
 */
export const TaskStopTool = completeTool<typeof TaskStopInput, TaskStopOutput>({
  name: 'TaskStop',
  searchHint: 'kill or cancel a background agent, shell, command',
  inputSchema: TaskStopInput,
  outputSchema: TaskStopOutput,
  toAutoClassifierInput: ({ task_id }) => task_id,
  checkPermissions: () => allowCoordination('ends a task of this session'),
  description: ({ task_id }) => `Stop ${task_id}`,
  prompt: () =>
    'Ends a background task, an agent or a command, and every task that it started. Answers when all of them have ended. Its output stays readable with TaskOutput.',
  mapToolResultToToolResultBlockParam: ({ task_id, description, status }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: describeStop({ id: task_id, description }, status),
  }),

  async call({ task_id }, context) {
    const tasks = requireTasks('TaskStop', context.tasks);
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const task = findTask(tasks, 'TaskStop', task_id);
    const status = await stopTask(tasks, 'TaskStop', task, signal);
    return { data: { task_id: task.id, description: task.description, status } };
  },
});
