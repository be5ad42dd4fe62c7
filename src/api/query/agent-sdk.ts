/** Functions and types beside `query` that programs for the Claude Agent SDK import. */
export { deleteSession, forkSession, renameSession, tagSession } from './change-sessions.js';
export type {
  ForkSessionOptions,
  ForkSessionResult,
  SessionMutationOptions,
} from './change-sessions.js';
export {
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  listSessions,
  listSubagents,
} from './past-sessions.js';
export type {
  GetSessionInfoOptions,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ListSubagentsOptions,
  SDKListSessionsOptions,
  SDKRecordedMessage,
  SDKSessionInfo,
} from './past-sessions.js';
