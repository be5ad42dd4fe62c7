import type { AgentId, TaskId } from '../../core/ids.js';
import type { TaskStateBase } from '../../core/task-types.js';
import type { EventBus, SessionEvents } from '../services/event-bus.js';
import type { TimeSource } from '../services/timers.js';

const WATCHED = [
  'task.status',
  'agent.sampled',
  'agent.message',
  'permission.requested',
  'permission.decided',
  'permission.withdrawn',
] as const satisfies readonly (keyof SessionEvents)[];

/** The agents of a session that have not ended. */
export type WatchedAgents = {
  readonly live: ReadonlyMap<AgentId, { readonly parts: AgentFacts }>;
};

/** The names of an agent, and its task. */
type AgentFacts = {
  readonly id: AgentId;
  readonly taskId: TaskId;
  readonly name: string | undefined;
  readonly type: string;
};

/** An event of a session for its observers, and its time, epoch ms. */
export type WatchedEvent = {
  [Name in (typeof WATCHED)[number]]: {
    readonly name: Name;
    readonly args: SessionEvents[Name];
    readonly at: number;
    /** The agent of the task in `task.status`. */
    readonly agent?: AgentFacts | undefined;
  };
}[(typeof WATCHED)[number]];

/**
 * Hear a session from now on. Events are kept until somebody takes them.
 *
 * @returns a function that passes the kept events to its argument, and all later ones at once
 */
export function hearSession(
  bus: EventBus,
  agents: WatchedAgents,
  { now }: TimeSource,
): (take: (event: WatchedEvent) => void) => void {
  let early: WatchedEvent[] = [];
  let take = (event: WatchedEvent): void => void early.push(event);
  for (const name of WATCHED)
    bus.on(name, (...args: unknown[]) => {
      const agent = name === 'task.status' ? agentOf(args[0] as TaskStateBase, agents) : undefined;
      take({ name, args, at: now(), agent } as WatchedEvent); // the bus has checked the types
    });
  return (next) => {
    for (const event of early) next(event);
    early = [];
    take = next;
  };
}

function agentOf({ id }: TaskStateBase, { live }: WatchedAgents): AgentFacts | undefined {
  for (const { parts } of live.values()) if (parts.taskId === id) return parts;
  return undefined;
}
