import type { AgentId } from '../../core/ids.js';
import type { Team } from '../../core/team.js';
import type { AgentParts } from '../agent/agent-parts.js';
import type { SessionRuntime } from '../session-types.js';

/** How others call an agent. */
export function nameOf({ name, id }: Pick<AgentParts, 'name' | 'id'>): string {
  return name ?? id;
}

/** The team that an agent is a member of. */
export function teamOf(
  { teams }: Pick<SessionRuntime, 'teams'>,
  agentId: AgentId,
): Team | undefined {
  return teams.teams().find(({ members }) => members.has(agentId));
}

/** Teams that an agent leads, oldest first. */
export function teamsLedBy(session: SessionRuntime, agent: AgentParts): readonly Team[] {
  return session.teams.teams().filter((team) => isLead(session, team, agent));
}

/** Whoever made the team; the session's own agent where that one has ended. */
export function isLead(
  { agents }: SessionRuntime,
  { lead }: Team,
  { id, depth }: Pick<AgentParts, 'id' | 'depth'>,
): boolean {
  return lead === id || (depth === 0 && !agents.live.has(lead));
}

export function leadOf(session: SessionRuntime, team: Team): AgentParts | undefined {
  for (const { parts } of session.agents.live.values())
    if (isLead(session, team, parts)) return parts;
  return undefined;
}

/** Members that have not ended. */
export function liveMembers({ agents }: SessionRuntime, { members }: Team): readonly AgentParts[] {
  return [...members.keys()].flatMap((id) => {
    const agent = agents.live.get(id);
    return agent === undefined ? [] : [agent.parts];
  });
}
