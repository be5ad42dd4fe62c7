import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../../core/errors.js';
import type { AgentEvent } from '../../../machines/agent/agent-types.js';
import type { LocalToolEvent } from '../../../machines/agent/local-tool.js';

/** The end of an effect: a promise if the effect takes time. */
export type EffectEnd = Promise<void> | undefined;
export type Effect = () => EffectEnd;

const NOW = Promise.resolve();

/** Run an effect after the transition that requested it. A crash of the effect ends its agent with an error. */
export function watch(agent: AnyActorRef, effect: Effect): void {
  void NOW.then(() => goOn(agent, effect));
}

/** The same for an effect that another effect requests: it runs at once. */
export function goOn(agent: AnyActorRef, effect: Effect): void {
  try {
    effect()?.catch((error: unknown) => fail(agent, error));
  } catch (error) {
    fail(agent, error);
  }
}

function fail(agent: AnyActorRef, error: unknown): void {
  tell(agent, { type: 'effect.failed', failure: toFailure(error) });
}

/** Send to an agent, or to a tool that is called without one. The receiver may have ended meanwhile. */
export function tell(agent: AnyActorRef, event: AgentEvent | LocalToolEvent): void {
  if (agent.getSnapshot().status === 'active') agent.send(event);
}
