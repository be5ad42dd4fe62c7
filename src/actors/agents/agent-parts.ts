import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../core/errors.js';
import type { AgentEvent } from '../../machines/agent/agent-types.js';
import type { LocalToolEvent } from '../../machines/agent/local-tool.js';
import type { ModelTool, ThinkingConfig } from '../../model/model.js';
import type { Caller } from './calls/caller.js';
import type { Conversation } from './conversation/conversation.js';
import type { Inbox } from './conversation/inbox.js';

/**
 * What one live agent consists of, beside its machine. All but `toolContext` is fixed for its life; its tools are from
 * its first request on.
 */
export type AgentParts = Caller & {
  /** A program may change it between two requests, as the model. */
  thinking: ThinkingConfig | undefined;
  readonly system: readonly string[];
  modelTools: readonly ModelTool[];
  /** A session that only hosts, a workflow, a tool that is called by itself: it reads no messages. */
  readonly asksNoModel: boolean;
  readonly inbox: Inbox;
  readonly conversation: Conversation;
};

/** Runs an effect after the transition that asked for it. One that crashes ends its agent: never in silence. */
export function watch(agent: AnyActorRef, effect: () => Promise<void>): void {
  const fail = (error: unknown): void =>
    tell(agent, { type: 'effect.failed', failure: toFailure(error) });
  queueMicrotask(() => {
    try {
      effect().catch(fail);
    } catch (error) {
      fail(error); // it failed before its first wait
    }
  });
}

/** Sends to an agent, or to a tool that is called without one, that may have ended meanwhile. */
export function tell(agent: AnyActorRef, event: AgentEvent | LocalToolEvent): void {
  if (agent.getSnapshot().status === 'active') agent.send(event);
}
