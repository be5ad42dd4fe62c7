import { z } from 'zod';
import { NO_SHARED_TASKS, type SharedTasks } from './shared-task.js';
import type { AgentId } from '../ids.js';

/** The list of agents that are in no team. */
export const SESSION_LIST = 'session';

/** The name is also that of its file. */
export const TeamName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'the name of a team has letters, digits, dots, hyphens and underscores, 64 at most',
  )
  .refine(
    (name) => name.toLowerCase() !== SESSION_LIST,
    `"${SESSION_LIST}" is the list of the session itself`,
  );

/** A request between a lead and a member without an answer. */
export type TeamRequest = {
  /** `request_id` of the answer. */
  readonly id: string;
  /** Kind of the request: that the member ends, or that its plan is approved. */
  readonly kind: 'shutdown' | 'plan';
  /** The member that the request concerns. */
  readonly member: AgentId;
};

/** Agents that work together: one lead, which made the team, and members that it has started. */
export type Team = {
  /** Unique in the session: 1 to 64 letters, digits, dots, hyphens and underscores. */
  readonly name: string;
  /** Purpose of the team. */
  readonly description: string | undefined;
  /** Agent ID of the agent that made the team. */
  readonly lead: AgentId;
  /** All members that ever joined, by agent ID, with the name; not the lead. */
  readonly members: ReadonlyMap<AgentId, string>;
  /** Open requests between lead and members. */
  readonly requests: readonly TeamRequest[];
  /** Members whose plan the lead has approved. */
  readonly planned: ReadonlySet<AgentId>;
  /** List of to-do items. */
  readonly list: SharedTasks;
};

export function newTeam(name: string, description: string | undefined, lead: AgentId): Team {
  return {
    name,
    description,
    lead,
    members: new Map(),
    requests: [],
    planned: new Set(),
    list: NO_SHARED_TASKS,
  };
}
