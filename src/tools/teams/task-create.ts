import { z } from 'zod';
import { SharedTask } from '../../core/tasks/shared-task.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { requireTeams } from './require-teams.js';
import { TeamField } from './team-field.js';

const { subject, description, activeForm, metadata } = SharedTask.shape;

export const TaskCreateInput = z.object({
  subject: subject.describe('The work, as an order: "Run the tests"'),
  description: description.describe('Everything that the agent who does it must know'),
  activeForm: activeForm.describe('The subject while it is being done: "Running the tests"'),
  metadata: metadata.describe('Further fields of your choice'),
  team_name: TeamField,
});
export type TaskCreateInput = z.infer<typeof TaskCreateInput>;

export const TaskCreateOutput = z.lazy(() =>
  z.object({
    task: z.object({ id: z.string(), subject: z.string() }),
    /** Name of the team; `session` for the session's own list. */
    list: z.string(),
  }),
);
export type TaskCreateOutput = Readonly<z.infer<typeof TaskCreateOutput>>;

/** Adds an item to the shared to-do list. Resolves when it is on stable storage. */
export const TaskCreateTool = completeTool<typeof TaskCreateInput, TaskCreateOutput>({
  name: 'TaskCreate',
  shouldDefer: true,
  searchHint: 'add work to the shared list of a team',
  inputSchema: TaskCreateInput,
  outputSchema: TaskCreateOutput,
  isReadOnly: () => true, // the tool touches only the list
  toAutoClassifierInput: (input) => input.subject,
  checkPermissions: () => allowCoordination('only changes a to-do list'),
  description: (input) => `New task: ${input.subject}`,
  prompt: () => PROMPT,
  mapToolResultToToolResultBlockParam: ({ task, list }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `Task #${task.id} is on the list "${list}": ${task.subject}`,
  }),

  async call({ team_name, ...input }, context) {
    const teams = requireTeams('TaskCreate', context.tasks);
    context.call.abortController.signal.throwIfAborted();
    const { name: list } = teams.list(team_name);
    const task = await teams.addTask(input, team_name);
    return { data: { task: { id: task.id, subject: task.subject }, list } };
  },
});

const PROMPT = `Puts a task on the to-do list of your team (of the session, if you are in no team). It begins as pending, without an owner.

- Use TaskUpdate (addBlockedBy) for tasks that must be done first; a blocked task cannot be started.
- The agent that takes a task sees this text and nothing of your conversation.`;
