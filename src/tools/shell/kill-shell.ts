import { z } from 'zod';
import { TASK_STATUSES } from '../../core/task-types.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { findShell } from './find-shell.js';
import { TaskIdField } from '../tasks/find-task.js';
import { requireTasks } from '../tasks/require-tasks.js';
import { describeStop, stopTask } from '../tasks/stop-task.js';

export const KillShellInput = z.object({ shell_id: TaskIdField });
export type KillShellInput = z.infer<typeof KillShellInput>;

export const KillShellOutput = z.lazy(() =>
  z.object({
    shell_id: z.string(),
    description: z.string(),
    /** The final status: `killed`, unless the command ended by itself first. */
    status: z.enum(TASK_STATUSES),
  }),
);
export type KillShellOutput = Readonly<z.infer<typeof KillShellOutput>>;

/** Ends a background command, as TaskStop does. Resolves when all its processes have ended. */
export const KillShellTool = completeTool<typeof KillShellInput, KillShellOutput>({
  name: 'KillShell',
  searchHint: 'stop a background command or server',
  inputSchema: KillShellInput,
  outputSchema: KillShellOutput,
  toAutoClassifierInput: ({ shell_id }) => shell_id,
  checkPermissions: () => allowCoordination('ends a command of this session'),
  description: ({ shell_id }) => `Kill ${shell_id}`,
  prompt: () =>
    'Ends a background command and every process that it started. Answers when all of them have ended. Its output stays readable with BashOutput.',
  mapToolResultToToolResultBlockParam: ({ shell_id, description, status }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: describeStop({ id: shell_id, description }, status),
  }),

  async call({ shell_id }, context) {
    const tasks = requireTasks('KillShell', context.tasks);
    const { signal } = context.call.abortController;
    signal.throwIfAborted();
    const shell = findShell(tasks, 'KillShell', shell_id, 'TaskStop');
    const status = await stopTask(tasks, 'KillShell', shell, signal);
    return { data: { shell_id: shell.id, description: shell.description, status } };
  },
});
