import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../../core/errors.js';
import type { AgentEvent } from '../../../machines/agent/agent-types.js';
import type { LocalToolEvent } from '../../../machines/agent/local-tool.js';

/** Run an effect after the transition that requested it. A crash of the effect ends its agent with an error. */
export function watch(agent: AnyActorRef, effect: () => Promise<void>): void {
  const fail = (error: unknown): void =>
    tell(agent, { type: 'effect.failed', failure: toFailure(error) });
  void Promise.resolve().then(effect).catch(fail);
}

/** Send to an agent, or to a tool that is called without one. The receiver may have ended meanwhile. */
export function tell(agent: AnyActorRef, event: AgentEvent | LocalToolEvent): void {
  if (agent.getSnapshot().status === 'active') agent.send(event);
}
