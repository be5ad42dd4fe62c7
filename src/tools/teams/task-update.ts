import { z } from 'zod';
import { SHARED_TASK_STATUSES, SharedTask } from '../../core/tasks/shared-task.js';
import { completeTool } from '../complete-tool.js';
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
    .describe('in_progress makes you the owner if it has none'),
  owner: z.string().optional().describe('The new owner, by name; empty for none'),
  subject: subject.optional(),
  description: description.optional(),
  activeForm,
  metadata: metadata.describe('Added to the present metadata'),
  addBlocks: ids.describe('Tasks that must wait for this one'),
  addBlockedBy: ids.describe('Tasks that this one must wait for'),
  team_name: TeamField,
});
export type TaskUpdateInput = z.infer<typeof TaskUpdateInput>;

export const TaskUpdateOutput = z.lazy(() =>
  z.object({
    taskId: z.string(),
    /** The present item; absent if it was deleted. */
    task: SharedTask.optional(),
    text: z.string(),
  }),
);
export type TaskUpdateOutput = Readonly<z.infer<typeof TaskUpdateOutput>>;

/**
 * Changes an item of a shared to-do list. Resolves when the change is on stable storage. If two agents want an item,
 * one gets it.
 */
export const TaskUpdateTool = completeTool<typeof TaskUpdateInput, TaskUpdateOutput>({
  name: 'TaskUpdate',
  shouldDefer: true,
  searchHint: 'claim, start, finish, block a task of the shared list',
  inputSchema: TaskUpdateInput,
  outputSchema: TaskUpdateOutput,
  isReadOnly: () => true, // the tool touches only the list
  toAutoClassifierInput: ({ taskId, status = '' }) => `#${taskId} ${status}`,
  checkPermissions: () => allowCoordination('only changes a to-do list'),
  description: ({ taskId, status }) =>
    `Task #${taskId}${status === undefined ? '' : `: ${status}`}`,
  prompt: () => PROMPT,
  mapToolResultToToolResultBlockParam: ({ text }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: text,
  }),

  async call({ taskId, team_name, ...change }, context) {
    const teams = requireTeams('TaskUpdate', context.tasks);
    context.call.abortController.signal.throwIfAborted();
    const task = await teams.changeTask(taskId, change, team_name);
    const text =
      task === undefined
        ? `Task #${taskId} is deleted.`
        : describeSharedTask(task, teams, team_name);
    return { data: { taskId, text, ...(task !== undefined && { task }) } };
  },
});

const PROMPT = `Changes a task on the to-do list of your team.

- status in_progress takes a task without an owner. If several agents try, one gets it; the others get an error with the owner's name. Set completed as soon as the task is done and checked: the tasks that it blocks can then start.
- A task cannot be taken or started before its blockers are completed. Tasks cannot wait for each other in a circle.
- Only the owner and the lead can change an owned task. If the owner has ended, any member may take the task.`;
