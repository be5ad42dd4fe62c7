import { EventEmitter } from 'eventemitter3';
import type { AgentContext, AgentEvent } from '../../core/agents/agent-context.js';
import type { CompactionReport, CompactionTrigger } from '../../core/agents/compaction.js';
import type { Envelope, PermissionRequest } from '../../core/events.js';
import type { Failure } from '../../core/failure.js';
import type { AgentId, RequestId, TaskId } from '../../core/ids.js';
import type { McpServerStatus } from '../../core/agents/mcp-types.js';
import type { Message } from '../../core/messages.js';
import type { PermissionAnswer, PermissionDecisionReason } from '../../core/decision-types.js';
import type { TaskStateBase, WorkOutcome } from '../../core/task-types.js';
import type { Retry } from '../../core/time/retry.js';
import type { Usage } from '../../core/tasks/usage.js';
import type { StepState } from '../../workflow/plan/workflow-types.js';
import type { ModelEvent } from '../../model/model.js';
import type { RateLimitMessage } from '../../model/errors/rate-limit.js';
import type { Change } from '../../permissions/what-would-change.js';
import type { ToolProgressData } from '../../tools/tool.js';
import type { ModelFallback } from '../../model/choice/model-choice.js';
import type { PermissionKept } from '../../core/permission-kept.js';

/** The agent that an event comes from. */
export type AgentOrigin = {
  /** ID of the agent's conversation, for messages and `resume`. */
  readonly agentId: AgentId;
  /** ID of the agent's task. */
  readonly taskId: TaskId;
  /** The tool call that started the agent; null for the main agent. */
  readonly parentToolUseId: string | null;
};

/** A tool call that was denied. */
export type PermissionDenial = {
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly toolName: string;
  /** `id` of the `tool_use` block that made the call. */
  readonly toolUseId: string;
  /** Input of the call, as it was judged. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Message for the model, as the result of the call. */
  readonly message: string;
  /** The rule, mode, check or person that denied the call. */
  readonly reason: PermissionDecisionReason;
  /** Changes that would let the call pass; absent if no rules decided on it. */
  readonly change?: Change;
  /** A person denied the call. */
  readonly isByPerson?: true;
};

/** A tool call that did not run: a call beside it failed or was denied. */
export type CancelledCall = {
  /** Name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly toolName: string;
  /** `id` of the `tool_use` block that made the call. */
  readonly toolUseId: string;
  /** Input of the call, as it was judged. */
  readonly input: Readonly<Record<string, unknown>>;
  /** ID of the call that failed or was denied. */
  readonly failedToolUseId: string;
  /** The call that failed or was denied as people read it, such as `Bash(npm test)`. */
  readonly failedCall: string;
};

/** A step of a workflow and its new state. */
export type WorkflowNews = {
  /** Key of the step in `tasks` of the definition. */
  readonly step: string;
  /** The new state of the step. */
  readonly state: StepState;
};

/** A hook failed, or has something to say to the person. */
export type HookNotice = {
  /** Name of the event. */
  readonly event: string;
  /** Name of the hook: its command, or its function's name. */
  readonly hook: string;
  /** Tool of the call that the hook ran for, if its event is one of a call. */
  readonly toolName?: string;
  /** Text for the person, or what went wrong. */
  readonly message: string;
  /** Whether the hook failed; its output does not count then. */
  readonly isFailure: boolean;
};

/** A run of a hook. */
export type HookStart = {
  /** ID of the run: the same at its end. */
  readonly hookId: string;
  /** Name of the event. */
  readonly event: string;
  /** The command of the hook, or the name of its function. */
  readonly hook: string;
  /** Tool of the call that the hook runs for, if its event is one of a call. */
  readonly toolName?: string;
};

/** The end of a run of a hook. */
export type HookEnd = HookStart & {
  /** `error`: the hook failed, and its output does not count. `cancelled`: the call was stopped meanwhile. */
  readonly outcome: 'success' | 'error' | 'cancelled';
  /** Text that its command printed, at most 10,000 characters; empty for a function. */
  readonly stdout: string;
  /** Text that its command wrote to stderr, at most 10,000 characters; empty for a function. */
  readonly stderr: string;
  /** Exit code of its command. */
  readonly exitCode?: number;
  /** Text for the person, or what went wrong. */
  readonly message?: string;
  /** The hook ended the turn (`continue: false`): why, or an empty text. */
  readonly stopped?: string;
};

/** News about a compaction. */
export type CompactionNews =
  | {
      readonly status: 'started';
      /** Why the conversation is compacted. */
      readonly trigger: CompactionTrigger;
    }
  | {
      readonly status: 'done';
      /** Sizes before and after, and the summary. */
      readonly report: CompactionReport;
    }
  | {
      readonly status: 'failed';
      /** Why the conversation was to be compacted. */
      readonly trigger: CompactionTrigger;
      /** The error. The conversation is unchanged. */
      readonly failure: Failure;
    };

/** A model request that has ended. */
export type SampledRequest = {
  /** ID of the model that was asked. */
  readonly requestedModel: string;
  /** ID of the model that replied; absent if none did. */
  readonly model?: string;
  /** Tokens of the request and its reply, as far as it came. */
  readonly usage: Usage;
  /** US dollars; absent if the price is not known. */
  readonly costUsd?: number;
  /** The reply came whole. */
  readonly isComplete: boolean;
};

/** Facts of a message beside its content. */
export type MessageMeta = {
  /** ID of the message, the same in the journal. */
  readonly uuid: string;
  /** Kind of the message in the mailbox that this user message is; absent for results of tools. */
  readonly mail?: Envelope['kind'];
  /** The client's own ID of a prompt, if it gave one. */
  readonly promptUuid?: string;
  /** Return value of the tool whose result this message is, of at most 64 KiB as JSON. */
  readonly toolResult?: unknown;
  /** The reply that the block of an assistant message belongs to. */
  readonly reply?: {
    /** ID that the API gave the reply. */
    readonly id: string;
    /** ID of the model that replied. */
    readonly model: string;
    /** Tokens of the request and its reply. */
    readonly usage: Usage;
    /** Why the reply ended; null while it streams. */
    readonly stopReason: string | null;
  };
};

/** Events of one session. Data at a high rate, such as pieces of replies, is available only here. */
export type SessionEvents = {
  /** A task is new or its status changed; the line is in the journal. */
  'task.status': [task: TaskStateBase];
  /** The agent that started a task was notified of its end. */
  'task.notified': [task: TaskStateBase];
  /** A message became part of the conversation. Results come one by one, in the order of the request. */
  'agent.message': [origin: AgentOrigin, message: Message, meta: MessageMeta];
  /** One event of a streamed reply. */
  'agent.stream': [origin: AgentOrigin, event: ModelEvent];
  /** A model request has ended, with or without success: its duration, and what it used. */
  'agent.sampled': [origin: AgentOrigin, durationMs: number, request: SampledRequest];
  /** A model request failed, and is tried again after a wait. */
  'agent.retry': [origin: AgentOrigin, retry: Retry];
  /** A limit of the account was reached: sent before each wait for it, and when no further wait follows. */
  'agent.rateLimit': [origin: AgentOrigin, limit: RateLimitMessage];
  /** The agent uses another model until the next prompt: its own is overloaded. */
  'agent.fallback': [origin: AgentOrigin, fallback: ModelFallback];
  /**
   * The conversation of the agent is compacted. If that fails, the agent keeps it as it was, or fails for the same
   * reason.
   */
  'agent.compaction': [origin: AgentOrigin, news: CompactionNews];
  /** An agent has ended without having taken a message. */
  'mail.dead': [recipient: AgentId, letter: Envelope];
  /** The agent is idle, with the outcome of its turn. */
  'agent.idle': [origin: AgentOrigin, turnOutcome: WorkOutcome];
  /** The tool of a call begins to run: it has waited for its turn and for decisions. */
  'tool.running': [origin: AgentOrigin, toolUseId: string];
  /** A running tool reports its progress. */
  'tool.progress': [origin: AgentOrigin, toolUseId: string, progress: ToolProgressData];
  /** A step of a workflow has a new state. */
  'workflow.step': [workflow: TaskId, news: WorkflowNews];
  /** A connection to a server has a new state. */
  'mcp.status': [server: McpServerStatus];
  /** A permission request waits for a decision. */
  'permission.requested': [request: PermissionRequest];
  /** A check beside a pending permission request has ended. */
  'permission.updated': [request: PermissionRequest];
  /** A permission request needs no decision any more: it was withdrawn, or this approver has decided. */
  'permission.withdrawn': [requestId: RequestId, by?: string];
  /** A permission request has its decision. */
  'permission.decided': [
    request: PermissionRequest,
    decided: {
      /** The decision, with everything that the approver added. */
      readonly answer: PermissionAnswer;
      /** The approver who decided. */
      readonly by: string;
    },
  ];
  /** A hook begins to run. */
  'hook.started': [origin: AgentOrigin, run: HookStart];
  /** A hook has run. */
  'hook.ended': [origin: AgentOrigin, run: HookEnd];
  /** A hook failed, or has something to say to the person. */
  'hook.notice': [origin: AgentOrigin, notice: HookNotice];
  /** A file of instructions could not be used; in words for a person. */
  'instructions.problem': [origin: AgentOrigin, problem: string];
  /** A command of Troupe has been carried out; its text for the person. */
  'command.output': [text: string];
  /** People can type other commands than before. */
  'commands.changed': [];
  /** Files of settings, skills or agents have changed, or cannot be used; in words for a person. */
  'settings.changed': [message: string];
  /** A tool call was denied. */
  'permission.denied': [origin: AgentOrigin, denial: PermissionDenial];
  /** A tool call did not run, since a call beside it failed or was denied. */
  'tool.cancelled': [origin: AgentOrigin, call: CancelledCall];
  /** A remembered rule is in a settings file, or could not be written there. */
  'permission.kept': [kept: PermissionKept];
  /** A rule names a tool that its MCP server does not have; in words for a person, once the tools are known. */
  'permission.ineffective': [problem: string];
};

export type EventBus = EventEmitter<SessionEvents>;

/** Takes events. */
export type EventSink = Pick<EventBus, 'emit' | 'listenerCount'>;

/** Gives events to listeners. */
export type EventSource = Pick<EventBus, 'on' | 'off' | 'once'>;

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

/** An event of one agent; the bus adds its origin in front. */
export type AgentEmission = {
  [Name in AgentEventName]: { readonly type: Name; readonly args: Tail<SessionEvents[Name]> };
}[AgentEventName];

/** Emit through an agent's step context, so that a run over the same journal emits nothing twice. */
export function emitFrom(stepContext: AgentContext, emission: AgentEmission): void {
  stepContext.emit(emission);
}

/** The receiver of the events that a step context lets through. */
export function emitTo(bus: EventSink, origin: AgentOrigin): (event: AgentEvent) => void {
  return ({ type, args }) => {
    bus.emit(type as AgentEventName, origin, ...(args as never)); // emitFrom has checked the types
  };
}
