import { z } from 'zod';
import { SharedTask } from '../../core/tasks/shared-task.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { describeWhole } from './describe-shared-task.js';
import { requireTeams } from './require-teams.js';
import { SharedTaskId, TeamField } from './team-field.js';
import { ToolInputError } from '../tool-input-error.js';

export const TaskGetInput = z.object({
  taskId: SharedTaskId.describe('Its number on the list'),
  team_name: TeamField,
});
export type TaskGetInput = z.infer<typeof TaskGetInput>;

export const TaskGetOutput = z.lazy(() => z.object({ task: SharedTask, text: z.string() }));
export type TaskGetOutput = Readonly<z.infer<typeof TaskGetOutput>>;

/** Returns one item of a shared to-do list with all fields. */
export const TaskGetTool = completeTool<typeof TaskGetInput, TaskGetOutput>({
  name: 'TaskGet',
  shouldDefer: true,
  searchHint: 'read one task of the shared list',
  inputSchema: TaskGetInput,
  outputSchema: TaskGetOutput,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  checkPermissions: () => allowCoordination('reads a to-do list'),
  description: ({ taskId }) => `Task #${taskId}`,
  prompt: () =>
    'Shows one task of the to-do list: its text, its owner, its blockers and the tasks that it blocks.',
  mapToolResultToToolResultBlockParam: ({ text }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: text,
  }),

  call({ taskId, team_name }, context) {
    const teams = requireTeams('TaskGet', context.tasks);
    const { name, list } = teams.list(team_name);
    const task = list.tasks.get(taskId);
    if (task === undefined) {
      const there = [...list.tasks.keys()].map((id) => `#${id}`).join(', ') || 'none';
      const why = `TaskGet: there is no task #${taskId} on the list "${name}". There are: ${there}.`;
      return Promise.reject(new ToolInputError('TaskGet', why));
    }
    return Promise.resolve({ data: { task, text: describeWhole(task, teams, team_name) } });
  },
});
