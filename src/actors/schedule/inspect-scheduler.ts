import type { AnyActorRef } from 'xstate';
import type { SchedulerContext } from '../../machines/schedule/scheduler.js';
import type { RemoteTriggers } from '../agents/session/scheduler-types.js';
import type { InspectedActor } from '../contract/inspected-actor.js';

/** The scheduler and its entries, the next one first. */
export function inspectScheduler(actor: AnyActorRef, since: number): InspectedActor {
  const { value, context } = actor.getSnapshot() as { value: string; context: SchedulerContext }; // values of its machine
  const entries = Object.values(context.entries).toSorted((a, b) => a.nextAt - b.nextAt);
  return {
    id: 'scheduler',
    kind: 'scheduler',
    label: 'scheduler',
    state: value,
    since,
    waitingFor: entries.slice(0, 1).map(({ id }) => `the time of ${id}`),
    children: entries.map(({ id, cron, prompt, agentId, nextAt, createdAt }) => ({
      id,
      kind: 'cronEntry',
      label: `${cron} ${prompt}`,
      state: 'waiting',
      since: createdAt,
      waitingFor: [`${new Date(nextAt).toISOString()} for ${agentId}`],
      children: [],
    })),
  };
}

export function inspectTriggers(triggers: Pick<RemoteTriggers, 'all'>): readonly InspectedActor[] {
  return triggers.all().map(({ id, name, url, agentId, openedAt }) => ({
    id,
    kind: 'remoteTrigger',
    label: name,
    state: 'open',
    since: openedAt,
    waitingFor: [`a request to ${url} for ${agentId}`],
    children: [],
  }));
}
