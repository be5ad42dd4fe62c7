import { z } from 'zod';
import { TeamName } from '../../core/tasks/team.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { requireTeams } from './require-teams.js';

export const TeamCreateInput = z.object({
  team_name: TeamName.describe('The name of the team'),
  description: z.string().optional().describe('Its purpose'),
});
export type TeamCreateInput = z.infer<typeof TeamCreateInput>;

export const TeamCreateOutput = z.lazy(() => z.object({ team_name: z.string() }));
export type TeamCreateOutput = Readonly<z.infer<typeof TeamCreateOutput>>;

/** Makes a team with the caller as its lead and an empty to-do list. Rejects if the name is taken. */
export const TeamCreateTool = completeTool<typeof TeamCreateInput, TeamCreateOutput>({
  name: 'TeamCreate',
  shouldDefer: true,
  searchHint: 'start a group of agents with a shared task list',
  inputSchema: TeamCreateInput,
  outputSchema: TeamCreateOutput,
  isReadOnly: () => true, // the tool touches only the session's records of its agents
  toAutoClassifierInput: ({ team_name }) => team_name,
  checkPermissions: () =>
    allowCoordination('makes a team of agents with their own permission checks'),
  description: ({ team_name }) => `Create the team ${team_name}`,
  prompt: () => PROMPT,
  present: ({ team_name }) => ({ kind: 'summary', text: `the team ${team_name}` }),
  mapToolResultToToolResultBlockParam: ({ team_name }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `You lead the team "${team_name}". Add teammates with Agent (team_name, name), and work with TaskCreate.`,
  }),

  async call({ team_name, description }, context) {
    const teams = requireTeams('TeamCreate', context.tasks);
    context.call.abortController.signal.throwIfAborted();
    await teams.create(team_name, description);
    return { data: { team_name } };
  },
});

const PROMPT = `Makes a team that you lead: agents that stay, know each other by name, and share one to-do list.

- Use it if several agents must agree on one thing over time. For one job with one result a single agent is enough.
- Then start teammates with Agent: team_name, a name, and their part. You get a notification whenever one is idle.
- Put the work on the list with TaskCreate; teammates take it from there.
- You work with SendMessage, TaskCreate, TaskGet, TaskList, TaskUpdate and TeamDelete: find those that are deferred with one ToolSearch.
- At the end ask each to shut down (SendMessage, shutdown_request) or delete the team.`;
