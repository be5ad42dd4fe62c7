import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import type { AgentId } from '../../core/ids.js';
import {
  addSharedTask,
  changeSharedTask,
  type NewSharedTask,
  type SharedTask,
  type SharedTaskActor,
  type SharedTaskOutcome,
} from '../../core/tasks/shared-task.js';
import { SESSION_LIST, TeamName, type Team } from '../../core/tasks/team.js';
import type { TeamCapabilities } from '../../tools/capabilities/team-capabilities.js';
import type { LiveAgents } from '../agents/agent-directory.js';
import { isIdle } from '../tasks/task-activity.js';
import { killTask } from '../tasks/task-commands.js';
import { isLead, leadOf, liveMembers, nameOf, teamOf, teamsLedBy } from './membership.js';
import { submitPlan, type MessageOwners } from './send-message.js';
import { judgeItem, type ListHookOwners } from './list-hooks.js';
import type { TeamStore } from './team-store.js';
import { TeamRefusedError } from './team-refused-error.js';

/** The actions on teams for the tools of one agent. */
export function createTeamCapabilities(owners: ListHookOwners, agentId: AgentId): TeamCapabilities {
  const { agents, teams } = owners;
  const self = () => {
    const agent = agents.live.get(agentId);
    if (agent === undefined) throw new TeamRefusedError('this agent has ended');
    return agent.parts;
  };
  return {
    async create(name, description) {
      createTeam(teams, self(), name, description);
      await teams.sync(name);
    },
    delete: async (name) => deleteTeam(owners, self(), name),
    isLive: (owner) => isLive(agents, owner),
    needsPlan: () =>
      teamOf(teams, agentId) !== undefined && self().permissionContext().mode === 'plan',
    submitPlan: (plan) => submitPlan(owners, self(), plan),
    ...createListCapabilities(owners, agentId, self),
  };
}

/** The actions on shared to-do lists for the tools of one agent. */
function createListCapabilities(
  owners: ListHookOwners,
  agentId: AgentId,
  self: () => AgentIdentity,
): Pick<TeamCapabilities, 'list' | 'addTask' | 'changeTask'> {
  const { agents, teams } = owners;

  const actor = (name: string): SharedTaskActor => {
    const team = teams.find(name);
    return {
      name: nameOf(self()),
      isLead: team === undefined ? self().depth === 0 : isLead(agents, team, self()),
      isLive: (owner) => isLive(agents, owner),
    };
  };

  /** @throws TeamRefusedError if the agent has no part in the named team */
  const listName = (wanted: string | undefined): string => {
    if (wanted === undefined)
      return (teamOf(teams, agentId) ?? teamsLedBy(owners, self()).at(-1))?.name ?? SESSION_LIST;
    if (wanted === SESSION_LIST) return wanted;
    const team = findTeam(teams, wanted);
    if (team.members.has(agentId) || isLead(agents, team, self())) return wanted;
    throw new TeamRefusedError(`you are not in the team "${wanted}"`);
  };

  /** Decide and write in one step: of two agents that want the same item only one finds it free. */
  const change = async (
    name: string,
    outcome: SharedTaskOutcome,
  ): Promise<Extract<SharedTaskOutcome, { changed: unknown }>> => {
    if ('problem' in outcome) throw new TeamRefusedError(outcome.problem);
    teams.changeList(name, outcome, nameOf(self()));
    await teams.sync(name);
    return outcome;
  };

  /** The new item that hooks have judged: they judge again if another one has taken its number meanwhile. */
  const judgedItem = async (name: string, task: NewSharedTask): Promise<SharedTask> => {
    if (!owners.hooks.hasAny('TaskCreated')) return addSharedTask(teams.listOf(name), task);
    for (;;) {
      const added = addSharedTask(teams.listOf(name), task);
      await judgeItem(owners, agentId, 'TaskCreated', added);
      if (addSharedTask(teams.listOf(name), task).id === added.id) return added;
    }
  };

  return {
    list(wanted) {
      const name = listName(wanted);
      return { name, list: teams.listOf(name) };
    },
    async addTask(task, wanted) {
      const name = listName(wanted);
      const added = await judgedItem(name, task);
      await change(name, { changed: [added], deleted: [] });
      return added;
    },
    async changeTask(id, wish, wanted) {
      const name = listName(wanted);
      const now = teams.listOf(name).tasks.get(id);
      if (wish.status === 'completed' && now !== undefined && now.status !== 'completed')
        await judgeItem(owners, agentId, 'TaskCompleted', now);
      const list = teams.listOf(name);
      const owner = ownerName(owners, name, wish.owner, list.tasks.get(id)?.owner);
      const { changed } = await change(
        name,
        changeSharedTask(list, id, { ...wish, owner }, actor(name)),
      );
      return changed.find((task) => task.id === id);
    },
  };
}

/**
 * The owner's name as the other members know it; the owner must have a part in the list.
 *
 * @param now the present owner
 * @throws TeamRefusedError
 */
function ownerName(
  { agents, teams }: Pick<MessageOwners, 'agents' | 'teams'>,
  list: string,
  wanted: string | undefined,
  now: string | undefined,
): string | undefined {
  if (wanted === undefined || wanted.trim() === '' || wanted === now) return wanted;
  const team = teams.find(list);
  const lead = team === undefined ? undefined : leadOf(agents, team);
  const all =
    team === undefined
      ? [...agents.live.values()].map(({ parts }) => parts)
      : [...(lead === undefined ? [] : [lead]), ...liveMembers(agents, team)];
  const owner =
    wanted === 'lead'
      ? lead
      : all.find(({ name, id, taskId }) => [name, id, taskId].includes(wanted as AgentId));
  if (owner !== undefined) return nameOf(owner);
  throw new TeamRefusedError(
    `no running agent "${wanted}" has a part in the list "${list}"; there are ${all.map(nameOf).join(', ')}`,
  );
}

/** End the members and delete the team. @returns the names of the members. @throws TeamRefusedError */
async function deleteTeam(
  { agents, teams, tasks }: MessageOwners,
  self: AgentIdentity,
  name: string,
): Promise<readonly string[]> {
  const team = findTeam(teams, name);
  if (!isLead(agents, team, self))
    throw new TeamRefusedError(`only its lead can delete the team "${name}"`);
  const members = liveMembers(agents, team);
  const working = members.filter(({ taskId }) => !isIdle(tasks, taskId));
  if (working.length > 0) {
    const names = working.map(nameOf).join(', ');
    throw new TeamRefusedError(
      `members of "${name}" still work: ${names}. Ask them to shut down, or end them with TaskStop`,
    );
  }
  teams.delete(name);
  await Promise.all(members.map(({ taskId }) => killTask(tasks, taskId, 'the team was deleted')));
  await teams.sync(name);
  return members.map(nameOf);
}

/** @throws TeamRefusedError */
export function createTeam(
  teams: TeamStore,
  lead: Pick<AgentIdentity, 'id'>,
  name: string,
  description: string | undefined,
): void {
  const parsed = TeamName.safeParse(name);
  if (!parsed.success) throw new TeamRefusedError(parsed.error.issues[0]?.message ?? 'a bad name');
  // on a file system that ignores case, two names that differ only in case would share one file
  const same = teams.teams().find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (same !== undefined) throw new TeamRefusedError(`there is a team "${same.name}" already`);
  teams.create(name, description, lead.id);
}

/** @throws TeamRefusedError with the names of the existing teams */
function findTeam(teams: TeamStore, name: string): Team {
  const team = teams.find(name);
  if (team !== undefined) return team;
  const names = teams.teams().map((one) => one.name);
  const there = names.length === 0 ? 'there is none yet' : `there are: ${names.join(', ')}`;
  throw new TeamRefusedError(`there is no team "${name}"; ${there}`);
}

function isLive(agents: LiveAgents, owner: string): boolean {
  return [...agents.live.values()].some(({ parts }) => parts.name === owner || parts.id === owner);
}
