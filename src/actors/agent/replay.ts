import type { ActorRefFrom } from 'xstate';
import { TroupeError } from '../../core/errors.js';
import type { Envelope } from '../../core/events.js';
import type { AgentEntry } from '../../journal/agent-entries.js';
import { continuationOf } from '../../model/stop-reasons.js';
import type { createAgentLogic } from './agent-logic.js';
import type { Reply } from './reply.js';

type AgentActor = ActorRefFrom<ReturnType<typeof createAgentLogic>>;

/** A journal and what its agent makes of it do not belong together. */
export class ReplayDivergedError extends TroupeError {
  override readonly name = 'ReplayDivergedError';
  readonly code = 'REPLAY_DIVERGED';
  /** The first step of the journal that was not reached. */
  readonly step: string;

  constructor(agentId: string, step: string) {
    super(`The agent ${agentId} came to rest before the step ${step} of its journal.`);
    this.step = step;
  }
}

/**
 * Tells an agent that runs again over its journal of the mail that it got, each time where it took it. Start it without
 * mail and open for input, with a door that has the same entries. Resolves when all mail was taken again and the agent
 * rests: from there it can go on.
 *
 * @throws ReplayDivergedError
 */
export async function replayMail(agent: AgentActor, entries: readonly AgentEntry[]): Promise<void> {
  const taken = takenMail(entries);
  const unended = unendedTurns(entries);
  const compacted = compactedAtLast(entries);
  await new Promise<void>((resolve, reject) => {
    const feed = (): void => {
      const snapshot = agent.getSnapshot();
      const { turn, calls, agentId } = snapshot.context;
      const isOver = snapshot.status !== 'active' || snapshot.matches({ living: { idle: 'open' } });
      const mail = taken.get(turn);
      const isUnended = calls.length > 0 || unended.has(turn);
      const isNext = isOver || (isUnended && !snapshot.matches({ living: 'preparing' }));
      if (mail !== undefined && isNext && snapshot.status === 'active') {
        taken.delete(turn);
        mail.forEach(() => agent.send({ type: 'inbox.arrived', isPrompt: false }));
      } else if (isOver && compacted.delete(turn)) {
        agent.send({ type: 'agent.compact' });
      } else if (isOver) {
        subscription.unsubscribe();
        const [missed] = taken.keys();
        if (missed === undefined) resolve();
        else reject(new ReplayDivergedError(agentId, inboxStep(missed)));
      }
    };
    const subscription = agent.subscribe({ next: feed, complete: feed });
    feed();
  });
}

/** What was taken from the inbox, by the turn that it began. */
function takenMail(entries: readonly AgentEntry[]): Map<number, readonly Envelope[]> {
  const taken = new Map<number, readonly Envelope[]>();
  for (const entry of entries) {
    if (entry.type !== 'step.done') continue;
    const turn = /^turn:(\d+)\/inbox$/.exec(entry.key)?.[1];
    if (turn === undefined) continue;
    const mail = entry.result as readonly Envelope[]; // written by `receive`
    const earlier = taken.get(Number(turn)) ?? [];
    if (mail.length > 0) taken.set(Number(turn), [...earlier, ...mail]);
  }
  return taken;
}

/** A turn after which the conversation was compacted and no request was made: nothing but a wish leads there. */
function compactedAtLast(entries: readonly AgentEntry[]): Set<number> {
  const keys = entries.flatMap((entry) => (entry.type === 'step.done' ? [entry.key] : []));
  const turns = keys.flatMap((key) => /^turn:(\d+)\/compact$/.exec(key)?.[1] ?? []).map(Number);
  return new Set(turns.filter((turn) => !keys.includes(`turn:${turn + 1}/model`)));
}

/** Turns whose reply is not at its end: the next one begins by itself. */
function unendedTurns(entries: readonly AgentEntry[]): ReadonlySet<number> {
  return new Set(
    entries.flatMap((entry) => {
      const turn =
        entry.type === 'step.done' ? /^turn:(\d+)\/model$/.exec(entry.key)?.[1] : undefined;
      if (entry.type !== 'step.done' || turn === undefined) return [];
      const { stopReason } = entry.result as Reply; // a model step's
      return continuationOf(stopReason) === undefined ? [] : [Number(turn)];
    }),
  );
}

function inboxStep(turn: number): string {
  return `turn:${turn}/inbox`;
}
