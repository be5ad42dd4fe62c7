import { EventEmitter } from 'eventemitter3';
import type { AgentContext, AgentEvent } from '../core/agent-context.js';
import type { PermissionRequest } from '../core/events.js';
import type { AgentId, RequestId, TaskId } from '../core/ids.js';
import type { McpServerStatus } from '../core/mcp-types.js';
import type { Message } from '../core/messages.js';
import type { PermissionAnswer, PermissionDecisionReason } from '../core/permission-types.js';
import type { TaskStateBase, WorkOutcome } from '../core/task-types.js';
import type { Usage } from '../core/usage.js';
import type { Retry } from '../machines/agent-types.js';
import type { ModelEvent } from '../model/model.js';
import type { ToolProgressData } from '../tools/tool.js';

/** Who says it. */
export type AgentOrigin = {
  readonly agentId: AgentId;
  readonly taskId: TaskId;
  /** The tool use that started the agent; null for the session's own. */
  readonly parentToolUseId: string | null;
};

export type PermissionDenial = {
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly message: string;
  readonly reason: PermissionDecisionReason;
};

export type MessageMeta = {
  readonly uuid: string;
  /** Of a user message that came by mail: what kind. */
  readonly mail?: 'prompt' | 'message' | 'notification';
  /** Of an assistant message: the reply that the block belongs to. */
  readonly reply?: {
    readonly id: string;
    readonly model: string;
    readonly usage: Usage;
    readonly stopReason: string | null;
  };
};

/** What happens in one session, for whoever watches. High-rate data travels here and nowhere else. */
export type SessionEvents = {
  /** A task is new or its status changed; the line is in the journal. */
  'task.status': [task: TaskStateBase];
  'task.notified': [task: TaskStateBase];
  /** A message became part of the conversation. Results come one by one, in the order of the request. */
  'agent.message': [origin: AgentOrigin, message: Message, meta: MessageMeta];
  'agent.stream': [origin: AgentOrigin, event: ModelEvent];
  /** A request has ended, in whatever way: how long it took. */
  'agent.sampled': [origin: AgentOrigin, durationMs: number];
  'agent.retry': [origin: AgentOrigin, retry: Retry];
  /** The agent has nothing to do for now. */
  'agent.rest': [origin: AgentOrigin, rest: WorkOutcome];
  'tool.progress': [origin: AgentOrigin, toolUseId: string, progress: ToolProgressData];
  /** A connection to a server stands otherwise than before. */
  'mcp.status': [server: McpServerStatus];
  'permission.requested': [request: PermissionRequest];
  'permission.withdrawn': [requestId: RequestId];
  'permission.decided': [
    request: PermissionRequest,
    decided: { readonly answer: PermissionAnswer; readonly by: string },
  ];
  'permission.denied': [origin: AgentOrigin, denial: PermissionDenial];
};

export type EventBus = EventEmitter<SessionEvents>;

export function createEventBus(): EventBus {
  return new EventEmitter<SessionEvents>();
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest]
  ? Rest
  : never;
type AgentEventName = {
  [Name in keyof SessionEvents]: SessionEvents[Name] extends readonly [AgentOrigin, ...unknown[]]
    ? Name
    : never;
}[keyof SessionEvents];

/** What one agent emits; the bus puts its origin in front. */
export type AgentEmission = {
  [Name in AgentEventName]: { readonly type: Name; readonly args: Tail<SessionEvents[Name]> };
}[AgentEventName];

/** Emits through an agent's door, so that nothing is said twice when the agent runs again from its journal. */
export function emitFrom(door: AgentContext, emission: AgentEmission): void {
  door.emit(emission);
}

/** What stands behind that door. */
export function emitTo(bus: EventBus, origin: AgentOrigin): (event: AgentEvent) => void {
  return ({ type, args }) => {
    bus.emit(type as AgentEventName, origin, ...(args as never)); // made by emitFrom, where the types agree
  };
}
