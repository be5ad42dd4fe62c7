import { z } from 'zod';
import { TeamName } from '../../core/tasks/team.js';
import { completeTool } from '../complete-tool.js';
import { allowCoordination } from '../allow-coordination.js';
import { requireTeams } from './require-teams.js';

export const TeamDeleteInput = z.object({
  team_name: TeamName.describe('A team that you lead'),
});
export type TeamDeleteInput = z.infer<typeof TeamDeleteInput>;

export const TeamDeleteOutput = z.lazy(() =>
  z.object({
    team_name: z.string(),
    /** Members that were idle. */
    ended: z.array(z.string()).readonly(),
  }),
);
export type TeamDeleteOutput = Readonly<z.infer<typeof TeamDeleteOutput>>;

/** Deletes a team, its list and its idle members. Rejects while members work, and names them. */
export const TeamDeleteTool = completeTool<typeof TeamDeleteInput, TeamDeleteOutput>({
  name: 'TeamDelete',
  shouldDefer: true,
  isDestructive: () => true,
  searchHint: 'end a group of agents, dissolve',
  inputSchema: TeamDeleteInput,
  outputSchema: TeamDeleteOutput,
  toAutoClassifierInput: ({ team_name }) => team_name,
  checkPermissions: () => allowCoordination('ends agents of this session'),
  description: ({ team_name }) => `Delete the team ${team_name}`,
  prompt: () =>
    'Deletes a team that you lead, with its to-do list. Idle members end with it. While others work, nothing is deleted, and the error names them.',
  mapToolResultToToolResultBlockParam: ({ team_name, ended }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: `The team "${team_name}" is deleted.${ended.length === 0 ? '' : ` Ended with it: ${ended.join(', ')}.`}`,
  }),

  async call({ team_name }, context) {
    const teams = requireTeams('TeamDelete', context.tasks);
    context.call.abortController.signal.throwIfAborted();
    return { data: { team_name, ended: await teams.delete(team_name) } };
  },
});
