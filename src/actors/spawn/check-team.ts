import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import type { AgentRequest } from '../../tools/capabilities/task-capabilities.js';
import { TaskRefusedError } from '../contract/task-refused-error.js';
import { isLead, teamsLedBy, type TeamOwners } from '../teams/membership.js';

/** Check that the lead of a team starts the teammate, under a name. @throws TaskRefusedError */
export function checkTeam(owners: TeamOwners, asker: AgentIdentity, request: AgentRequest): void {
  if (request.kind !== 'in_process_teammate') return;
  const { team: name, name: member, resume } = request;
  const team = owners.teams.find(name);
  if (team === undefined) {
    const own = teamsLedBy(owners, asker).map((one) => one.name);
    const there =
      own.length === 0 ? 'You lead none: TeamCreate makes one.' : `You lead: ${own.join(', ')}.`;
    throw new TaskRefusedError(`there is no team "${name}". ${there}`);
  }
  if (!isLead(owners.agents, team, asker))
    throw new TaskRefusedError(`only its lead can add somebody to the team "${name}"`);
  if (member === undefined && resume === undefined)
    throw new TaskRefusedError('a teammate needs a name, by which the others reach it');
}
