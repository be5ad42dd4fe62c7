import type { SessionMessage } from '../session-message.js';

/** Names that programs for the Claude Agent SDK know the messages by. */
export type SDKMessage = SessionMessage;
export type SDKAssistantMessage = Extract<SessionMessage, { type: 'assistant' }>;
export type SDKPartialAssistantMessage = Extract<SessionMessage, { type: 'stream_event' }>;
export type SDKResultMessage = Extract<SessionMessage, { type: 'result' }>;
/** The first message of all. */
export type SDKSystemMessage = Extract<SessionMessage, { subtype: 'init' }>;
