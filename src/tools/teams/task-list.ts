import { z } from 'zod';
import { SharedTask } from '../../core/tasks/shared-task.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { describeSharedTask } from './describe-shared-task.js';
import { requireTeams } from './require-teams.js';
import { TeamField } from './team-field.js';

export const TaskListInput = z.object({ team_name: TeamField });
export type TaskListInput = z.infer<typeof TaskListInput>;

export const TaskListOutput = z.lazy(() =>
  z.object({
    list: z.string(),
    tasks: z.array(SharedTask).readonly(),
    text: z.string(),
  }),
);
export type TaskListOutput = Readonly<z.infer<typeof TaskListOutput>>;

/** Lists a shared to-do list, one line for each item, in the order of their numbers. */
export const TaskListTool = completeTool<typeof TaskListInput, TaskListOutput>({
  name: 'TaskList',
  shouldDefer: true,
  searchHint: 'show the shared list, who does what',
  inputSchema: TaskListInput,
  outputSchema: TaskListOutput,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  checkPermissions: () => allowCoordination('reads a to-do list'),
  description: () => 'List the shared tasks',
  prompt: () =>
    'Shows the tasks on the to-do list of your team: status, owner and blockers. Take a pending one without owner and blockers, the lowest number first, with TaskUpdate.',
  present: ({ tasks }) => ({
    kind: 'table',
    columns: ['#', 'status', 'owner', 'task'],
    rows: tasks.map(({ id, status, owner = '', subject }) => [id, status, owner, subject]),
  }),
  mapToolResultToToolResultBlockParam: ({ text }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: text,
  }),

  call({ team_name }, context) {
    const teams = requireTeams('TaskList', context.tasks);
    const { name: list, list: shared } = teams.list(team_name);
    const tasks = [...shared.tasks.values()];
    const lines = tasks.map((task) => describeSharedTask(task, teams, team_name));
    const text =
      tasks.length === 0
        ? `The list "${list}" is empty.`
        : `The list "${list}":\n${lines.join('\n')}`;
    return Promise.resolve({ data: { list, tasks, text } });
  },
});
