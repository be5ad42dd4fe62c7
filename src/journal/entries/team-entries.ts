import { z } from 'zod';
import { AgentId } from '../../core/ids.js';
import {
  applySharedTasks,
  NO_SHARED_TASKS,
  SharedTask,
  type SharedTasks,
} from '../../core/tasks/shared-task.js';
import { newTeam, type Team } from '../../core/tasks/team.js';

/** Lines of `teams/<name>.jsonl`: a team, and the to-do list of its members. One process writes them. */
const head = { timestamp: z.number() };
const Created = z.lazy(() =>
  z.object({
    type: z.literal('team.created'),
    name: z.string(),
    description: z.string().optional(),
    lead: AgentId,
    ...head,
  }),
);
const Joined = z.lazy(() =>
  z.object({
    type: z.literal('team.joined'),
    agentId: AgentId,
    name: z.string(),
    ...head,
  }),
);
const Deleted = z.lazy(() => z.object({ type: z.literal('team.deleted'), ...head }));
/** A request to an agent; each is answered once. */
const Asked = z.lazy(() =>
  z.object({
    type: z.literal('request.asked'),
    id: z.string(),
    kind: z.enum(['shutdown', 'plan']),
    member: AgentId,
    ...head,
  }),
);
const Answered = z.lazy(() =>
  z.object({
    type: z.literal('request.answered'),
    id: z.string(),
    approve: z.boolean(),
    ...head,
  }),
);
const Changed = z.lazy(() =>
  z.object({
    type: z.literal('tasks.changed'),
    by: z.string(),
    changed: z.array(SharedTask),
    deleted: z.array(z.string()),
    ...head,
  }),
);

export const TeamEntry = z.lazy(() =>
  z.discriminatedUnion('type', [Created, Joined, Deleted, Asked, Answered, Changed]),
);
export type TeamEntry = z.infer<typeof TeamEntry>;

/** The team after its lines: a deleted team is gone, and its list with it. */
export function toTeam(entries: readonly TeamEntry[]): RecordedTeam {
  const { team, list } = entries.reduce(addTeamEntry, NO_TEAM);
  return { team: team === undefined ? undefined : { ...team, list }, list };
}

/** A team and its to-do list; the session's own list has no team. */
export type RecordedTeam = { readonly team: Team | undefined; readonly list: SharedTasks };

export const NO_TEAM: RecordedTeam = { team: undefined, list: NO_SHARED_TASKS };

/** The team after one more line. The list of the team itself is not up to date: `list` is. */
export function addTeamEntry({ team, list }: RecordedTeam, entry: TeamEntry): RecordedTeam {
  switch (entry.type) {
    case 'team.created':
      return {
        team: newTeam(entry.name, entry.description, entry.lead),
        list: NO_SHARED_TASKS,
      };
    case 'team.deleted':
      return NO_TEAM;
    case 'tasks.changed':
      return { team, list: applySharedTasks(list, entry) };
    default:
      return { team: team && changeTeam(team, entry), list };
  }
}

/** A team after one of its lines. */
export function changeTeam(
  team: Team,
  entry: DistributiveOmit<
    Extract<TeamEntry, { type: 'team.joined' | 'request.asked' | 'request.answered' }>
  >,
): Team {
  switch (entry.type) {
    case 'team.joined':
      return { ...team, members: new Map(team.members).set(entry.agentId, entry.name) };
    case 'request.asked': {
      const { id, kind, member } = entry;
      return { ...team, requests: [...team.requests, { id, kind, member }] };
    }
    case 'request.answered': {
      const request = team.requests.find(({ id }) => id === entry.id);
      const requests = team.requests.filter(({ id }) => id !== entry.id);
      const isPlanned = entry.approve && request?.kind === 'plan';
      const planned = isPlanned ? new Set(team.planned).add(request.member) : team.planned;
      return { ...team, requests, planned };
    }
    default:
      return entry satisfies never;
  }
}

type DistributiveOmit<T> = T extends unknown ? Omit<T, 'timestamp'> : never;
