import type {
  DeniedToolCall,
  ModelUsage,
  ResultError,
  ResultMessage,
  ResultSuccess,
  SessionMessage,
} from '../session-message.js';

/** Tokens and cost of one model over the whole tree; `costUSD` is `NaN` if the price of the model is not known. */
export type SDKModelUsage = Omit<ModelUsage, 'costUSD'> & { readonly costUSD: number };

/** What stands on every message. */
type Head = Pick<SessionMessage, 'uuid' | 'session_id'>;

/** `total_cost_usd` is `NaN` if the price of a model is not known: no number would be true. */
type WithCosts<Result extends ResultMessage> = Head &
  Omit<Result, 'total_cost_usd' | 'modelUsage'> & {
    readonly total_cost_usd: number;
    readonly modelUsage: Readonly<Record<string, SDKModelUsage>>;
  };

/** The last message of a run, or of one prompt, that came to its end: `result` is the agent's last text. */
export type SDKResultSuccess = WithCosts<ResultSuccess>;
/** The last message of a run, or of one prompt, that was stopped or failed: `errors` say why. */
export type SDKResultError = WithCosts<ResultError>;
export type SDKResultMessage = SDKResultSuccess | SDKResultError;

/** A message of `query()`. Names are those that programs for the Claude Agent SDK know. */
export type SDKMessage = Exclude<SessionMessage, { type: 'result' }> | SDKResultMessage;
export type SDKAssistantMessage = Extract<SDKMessage, { type: 'assistant' }>;
export type SDKPartialAssistantMessage = Extract<SDKMessage, { type: 'stream_event' }>;
/** The first message of all. */
export type SDKSystemMessage = Extract<SDKMessage, { subtype: 'init' }>;
/** What an agent got: results of its tools, notifications, messages of other agents. */
export type SDKUserMessageReplay = Extract<SDKMessage, { type: 'user' }>;
/** The conversation was compacted here. */
export type SDKCompactBoundaryMessage = Extract<SDKMessage, { subtype: 'compact_boundary' }>;
export type SDKStatusMessage = Extract<SDKMessage, { subtype: 'status' }>;
export type SDKTaskStartedMessage = Extract<SDKMessage, { subtype: 'task_started' }>;
export type SDKTaskUpdatedMessage = Extract<SDKMessage, { subtype: 'task_updated' }>;
export type SDKTaskNotificationMessage = Extract<SDKMessage, { subtype: 'task_notification' }>;
export type SDKToolProgressMessage = Extract<SDKMessage, { type: 'tool_progress' }>;
export type SDKPermissionDeniedMessage = Extract<SDKMessage, { subtype: 'permission_denied' }>;
export type SDKHookResponseMessage = Extract<SDKMessage, { subtype: 'hook_response' }>;
export type SDKAPIRetryMessage = Extract<SDKMessage, { subtype: 'api_retry' }>;
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
    modelUsage: Object.fromEntries(modelUsage) as SDKResultMessage['modelUsage'], // names and values as they were
  };
}
