import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../core/errors.js';
import type { AgentContext } from '../../core/agent-context.js';
import type { Effort } from '../../core/agent-definition.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import type { AgentEvent } from '../../machines/agent-types.js';
import type { LocalToolEvent } from '../../machines/local-tool.js';
import type { ModelTool, ThinkingConfig } from '../../model/model.js';
import type { Tool, ToolUseContext } from '../../tools/tool.js';
import type { AgentOrigin } from '../event-bus.js';
import type { Conversation } from './conversation.js';
import type { Inbox } from './inbox.js';

/**
 * What one live agent consists of, beside its machine. All but `toolContext` is fixed for its life; its tools are from
 * its first request on, since some of them may come from servers that are still starting when it is made.
 */
export type AgentParts = {
  readonly id: AgentId;
  readonly taskId: TaskId;
  readonly parentAgentId: AgentId | undefined;
  readonly type: string;
  readonly name: string | undefined;
  /** What it was started for, in one line. */
  readonly description: string;
  readonly depth: number;
  /** Names of tools that it and everything below it must do without. */
  readonly deniedTools: readonly string[];
  readonly origin: AgentOrigin;
  /** The model's id; a program may change it between two requests. */
  model: string;
  /** The model's ID in plan mode, if it is another one. */
  planModel: string | undefined;
  readonly effort: Effort | undefined;
  /** A program may change it between two requests, as the model. */
  thinking: ThinkingConfig | undefined;
  readonly system: readonly string[];
  tools: readonly Tool[];
  modelTools: readonly ModelTool[];
  /** A session that only hosts, a workflow, a tool that is called by itself: it reads no messages. */
  readonly asksNoModel: boolean;
  /** Told of what its tools have returned, beside the text for a model. */
  readonly onData?: ((data: unknown) => void) | undefined;
  readonly door: AgentContext;
  readonly inbox: Inbox;
  readonly conversation: Conversation;
  /** Aborted when nothing of it may run on. */
  readonly abort: AbortController;
  /** Of an agent that goes on in another process: what a use had started there, in words for the model. */
  readonly lostWork?: ((toolUseId: string) => string | undefined) | undefined;
  /** Its rules of this moment: the session's, never laxer. */
  readonly permissionContext: () => ToolPermissionContext;
  /** The rules that settle its asks: its own, or where it bubbles those of the nearest above it that does not. */
  readonly judgingContext: () => ToolPermissionContext;
  /** What its tools get; a tool that was alone may have moved it (a shell's `cd`). */
  toolContext: ToolUseContext;
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
