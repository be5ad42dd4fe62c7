import type {
  DeniedToolCall,
  ModelUsage,
  ResultError,
  ResultMessage,
  ResultSuccess,
} from '../../actors/contract/result-message.js';
import type { SessionMessage } from '../../actors/contract/session-message.js';

/** Tokens and cost of one model over the whole tree; `costUSD` is `NaN` if the price of the model is not known. */
export type SDKModelUsage = Omit<ModelUsage, 'costUSD'> & {
  /** US dollars; `NaN` if the model's price is not known. */
  readonly costUSD: number;
};

/** Fields of every message. */
type Head = Pick<SessionMessage, 'uuid' | 'session_id'>;

/** `total_cost_usd` is `NaN` if the price of a model is not known, since any number would be wrong. */
type WithCosts<Result extends ResultMessage> = Head &
  Omit<Result, 'total_cost_usd' | 'modelUsage'> & {
    /** US dollars of the session since its start, of all agents; `NaN` if the price of a model is not known. */
    readonly total_cost_usd: number;
    /** Tokens and cost since the start of the session, by ID of the model. */
    readonly modelUsage: Readonly<Record<string, SDKModelUsage>>;
  };

/** The last message of a run, or of one prompt, that came to its end: `result` is the agent's last text. */
export type SDKResultSuccess = WithCosts<ResultSuccess>;
/** The last message of a run, or of one prompt, that was stopped or failed: `errors` say why. */
export type SDKResultError = WithCosts<ResultError>;
/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;

/** A message of `query()`. Names are those that programs for the Claude Agent SDK know. */
export type SDKMessage = Exclude<SessionMessage, { type: 'result' }> | SDKResultMessage;
/** A message of an agent. */
export type SDKAssistantMessage = Extract<SDKMessage, { type: 'assistant' }>;
/** One event of a streamed reply. */
export type SDKPartialAssistantMessage = Extract<SDKMessage, { type: 'stream_event' }>;
/** The first message of all. */
export type SDKSystemMessage = Extract<SDKMessage, { subtype: 'init' }>;
/** A user message of an agent: results of its tools, notifications, messages of other agents. */
export type SDKUserMessageReplay = Extract<SDKMessage, { type: 'user' }>;
/** The conversation was compacted here. */
export type SDKCompactBoundaryMessage = Extract<SDKMessage, { subtype: 'compact_boundary' }>;
/** A change of what the session does. */
export type SDKStatusMessage = Extract<SDKMessage, { subtype: 'status' }>;
/** The start of a task. */
export type SDKTaskStartedMessage = Extract<SDKMessage, { subtype: 'task_started' }>;
/** A change of a task. */
export type SDKTaskUpdatedMessage = Extract<SDKMessage, { subtype: 'task_updated' }>;
/** A sub-agent calls a tool. */
export type SDKTaskProgressMessage = Extract<SDKMessage, { subtype: 'task_progress' }>;
/** All live tasks in the background, after a change. */
export type SDKBackgroundTasksChangedMessage = Extract<
  SDKMessage,
  { subtype: 'background_tasks_changed' }
>;
/** The end of a task. */
export type SDKTaskNotificationMessage = Extract<SDKMessage, { subtype: 'task_notification' }>;
/** How long a tool has been running. */
export type SDKToolProgressMessage = Extract<SDKMessage, { type: 'tool_progress' }>;
/** A tool call was denied. */
export type SDKPermissionDeniedMessage = Extract<SDKMessage, { subtype: 'permission_denied' }>;
/** A hook begins to run. Sent with `includeHookEvents`. */
export type SDKHookStartedMessage = Extract<SDKMessage, { subtype: 'hook_started' }>;
/** Commands or skills have changed; `commands` has all of them. */
export type SDKCommandsChangedMessage = Extract<SDKMessage, { subtype: 'commands_changed' }>;
/** The text of a command such as `/cost`. */
export type SDKLocalCommandOutputMessage = Extract<SDKMessage, { subtype: 'local_command_output' }>;
/** Output of a hook. */
export type SDKHookResponseMessage = Extract<SDKMessage, { subtype: 'hook_response' }>;
/** A model request failed, and is tried again after a wait. */
export type SDKAPIRetryMessage = Extract<SDKMessage, { subtype: 'api_retry' }>;
/** A rate limit of the account was reached. */
export type SDKRateLimitEvent = Extract<SDKMessage, { type: 'rate_limit_event' }>;
/** The model refused to answer. */
export type SDKModelRefusalNoFallbackMessage = Extract<
  SDKMessage,
  { subtype: 'model_refusal_no_fallback' }
>;
/** Whether the session works, waits for a decision, or is idle. */
export type SDKSessionStateChangedMessage = Extract<
  SDKMessage,
  { subtype: 'session_state_changed' }
>;
/** An entry of `permission_denials` of a result. */
export type SDKPermissionDenial = DeniedToolCall;

/** Give a message of a session the types that programs for the Claude Agent SDK expect: a cost is a number there. */
export function toSdkMessage(message: SessionMessage): SDKMessage {
  if (message.type !== 'result') return message;
  const modelUsage = Object.entries(message.modelUsage).map(([model, usage]) => [
    model,
    { ...usage, costUSD: usage.costUSD ?? NaN },
  ]);
  return {
    ...message,
    total_cost_usd: message.total_cost_usd ?? NaN,
    modelUsage: Object.fromEntries(modelUsage) as SDKResultMessage['modelUsage'], // names and values stay the same
  };
}
