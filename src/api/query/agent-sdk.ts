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
export { resolveSettings } from './resolve-settings.js';
export type {
  ProvenanceEntry,
  ResolvedSettings,
  ResolvedSettingsFile,
  ResolvedSettingSource,
  ResolveSettingsOptions,
} from './resolve-settings.js';
export { startup } from './startup.js';
export type { StartupRequest, WarmQuery } from './startup.js';
export { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from './sdk-names.js';
export { HOOK_EVENTS } from '../../settings/schema/hook-events.js';
export type {
  BaseHookInput,
  HookPermissionDecision,
  PermissionRequestHookSpecificOutput,
  PreToolUseHookSpecificOutput,
} from './sdk-hooks.js';
export type { HookOutput as SyncHookJSONOutput } from '../../extensions/hooks/hook-output.js';
export type {
  JsonSchemaOutputFormat,
  SdkPluginConfig,
  JsonSchemaOutputFormat as OutputFormat,
  ThinkingAdaptive,
  ThinkingDisabled,
  ThinkingEnabled,
} from './query-options.js';
export type {
  PluginReloadOptions,
  ReloadedOutputStyles as SDKControlReloadOutputStylesResponse,
  ReloadedPlugins as SDKControlReloadPluginsResponse,
  ReloadedSkills as SDKControlReloadSkillsResponse,
  ContextUsageReport as SDKControlGetContextUsageResponse,
  SessionDescription as SDKControlInitializeResponse,
} from './query-types.js';
export type { AnyZodRawShape, InferShape } from '../../extensions/mcp/servers/sdk-server.js';
export type {
  PermissionBehavior,
  PermissionRuleValue,
  PermissionUpdateDestination,
} from '../../core/permission-types.js';
export type { SandboxSettings, Settings } from '../../settings/schema/settings-schema.js';
export type {
  SDKAPIRetryMessage,
  SDKAssistantMessage,
  SDKBackgroundTasksChangedMessage,
  SDKCommandsChangedMessage,
  SDKCompactBoundaryMessage,
  SDKHookResponseMessage,
  SDKLocalCommandOutputMessage,
  SDKHookStartedMessage,
  SDKMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKModelUsage,
  SDKPartialAssistantMessage,
  SDKPermissionDenial,
  SDKPermissionDeniedMessage,
  SDKRateLimitEvent,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKSessionStateChangedMessage,
  SDKStatusMessage,
  SDKSystemMessage,
  SDKTaskNotificationMessage,
  SDKTaskProgressMessage,
  SDKTaskStartedMessage,
  SDKTaskUpdatedMessage,
  SDKToolProgressMessage,
  SDKUserMessageReplay,
} from './sdk-messages.js';
