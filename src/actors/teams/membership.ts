import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import type { AgentId } from '../../core/ids.js';
import type { Team } from '../../core/tasks/team.js';
import type { AgentDirectory, LiveAgents } from '../agents/agent-directory.js';
import type { TeamStore } from './team-store.js';

/** The agents of a session, and its teams. */
export type TeamOwners = { readonly agents: AgentDirectory; readonly teams: TeamStore };

/** The name of an agent for other agents. */
export function nameOf({ name, id }: Pick<AgentIdentity, 'name' | 'id'>): string {
  return name ?? id;
}

/** The team that an agent is a member of. */
export function teamOf(teams: TeamStore, agentId: AgentId): Team | undefined {
  return teams.teams().find(({ members }) => members.has(agentId));
}

/** Teams that an agent leads, oldest first. */
export function teamsLedBy({ agents, teams }: TeamOwners, agent: AgentIdentity): readonly Team[] {
  return teams.teams().filter((team) => isLead(agents, team, agent));
}

/** Whether an agent leads a team: the agent that made it; if that one has ended, the main agent. */
export function isLead(
  agents: LiveAgents,
  { lead }: Team,
  { id, depth }: Pick<AgentIdentity, 'id' | 'depth'>,
): boolean {
  return lead === id || (depth === 0 && !agents.live.has(lead));
}

export function leadOf(agents: LiveAgents, team: Team): AgentIdentity | undefined {
  for (const { parts } of agents.live.values()) if (isLead(agents, team, parts)) return parts;
  return undefined;
}

/** Members that have not ended. */
export function liveMembers(agents: LiveAgents, { members }: Team): readonly AgentIdentity[] {
  return [...members.keys()].flatMap((id) => {
    const agent = agents.live.get(id);
    return agent === undefined ? [] : [agent.parts];
  });
}

/** The team of a teammate and its name there, for hooks; undefined for an agent without a team. */
export function memberOf({ agents, teams }: TeamOwners, id: AgentId) {
  const team = teamOf(teams, id);
  const agent = team === undefined ? undefined : agents.live.get(id);
  return team && agent && { teammate_name: nameOf(agent.parts), team_name: team.name };
}
