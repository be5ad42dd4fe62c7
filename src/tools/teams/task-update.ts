import { z } from 'zod';
import { SHARED_TASK_STATUSES, SharedTask } from '../../core/tasks/shared-task.js';
import { buildTool } from '../build-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { describeSharedTask } from './describe-shared-task.js';
import { requireTeams } from './require-teams.js';
import { SharedTaskId, TeamField } from './team-field.js';

const { subject, description, activeForm, metadata } = SharedTask.shape;
const ids = z.array(SharedTaskId).optional();

export const TaskUpdateInput = z.object({
  taskId: SharedTaskId.describe('Its number on the list'),
  status: z
    .enum([...SHARED_TASK_STATUSES, 'deleted'])
    .optional()
    .describe('in_progress makes it yours where it has no owner'),
  owner: z.string().optional().describe("Whose it is to be, by name; empty: nobody's"),
  subject: subject.optional(),
  description: description.optional(),
  activeForm,
  metadata: metadata.describe('Put beside what is there'),
  addBlocks: ids.describe('Tasks that have to wait for this one'),
  addBlockedBy: ids.describe('Tasks that this one has to wait for'),
  team_name: TeamField,
});
export type TaskUpdateInput = z.infer<typeof TaskUpdateInput>;

export const TaskUpdateOutput = z.object({
  taskId: z.string(),
  /** As it is now; absent where it was deleted. */
  task: SharedTask.optional(),
  text: z.string(),
});
export type TaskUpdateOutput = Readonly<z.infer<typeof TaskUpdateOutput>>;

/** Changes a task of a shared list. Resolves when that is on stable storage; of two who want a task one gets it. */
export const TaskUpdateTool = buildTool<typeof TaskUpdateInput, TaskUpdateOutput>({
  name: 'TaskUpdate',
  searchHint: 'claim, start, finish, block a task of the shared list',
  inputSchema: TaskUpdateInput,
  outputSchema: TaskUpdateOutput,
  isReadOnly: () => true, // it touches nothing but the list itself
  toAutoClassifierInput: ({ taskId, status = '' }) => `#${taskId} ${status}`,
  checkPermissions: () => allowCoordination('changes nothing but a list of tasks'),
  description: ({ taskId, status }) =>
    `Task #${taskId}${status === undefined ? '' : `: ${status}`}`,
  prompt: () => PROMPT,
  mapToolResultToToolResultBlockParam: ({ text }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: text,
  }),

  async call({ taskId, team_name, ...change }, context) {
    const teams = requireTeams('TaskUpdate', context);
    context.abortController.signal.throwIfAborted();
    const task = await teams.changeTask(taskId, change, team_name);
    const text =
      task === undefined
        ? `Task #${taskId} is deleted.`
        : describeSharedTask(task, teams, team_name);
    return { data: { taskId, text, ...(task !== undefined && { task }) } };
  },
});

const PROMPT = `Changes a task of the list that your team shares.

- status in_progress takes a task that has no owner: of several who try one gets it, the others are told whose it is. Set it to completed when it is done and checked, at once: that lets those go on that it blocks.
- A task that waits for others which are not completed cannot be taken or started. Tasks cannot wait for each other in a circle.
- What is another's only its owner and the lead can change; what somebody left who has ended may be taken.`;
