export { createOrchestrator } from './actors/orchestrator.js';
export type {
  Approvals,
  AskHandler,
  CanUseTool,
  InspectedActor,
  Orchestrator,
  OrchestratorOptions,
  SessionHandle,
  SessionStart,
  SpawnOptions,
  TaskHandle,
} from './actors/public-types.js';
export type {
  AgentOrigin,
  EventBus,
  MessageMeta,
  PermissionDenial,
  SessionEvents,
} from './actors/event-bus.js';
export type { ModelUsage, ResultMessage, SessionMessage } from './actors/session-message.js';
export { TaskKilledError } from './actors/task-killed-error.js';
export { TaskRefusedError } from './actors/task-refused-error.js';

export { loadContext } from './context/context-keys.js';
export type { SessionContext } from './context/context-keys.js';
export type { MemoryFileInfo, MemoryType } from './context/memory/memory-file.js';

export { AgentDefinition, Effort } from './core/agent-definition.js';
export type { AgentContext, StepAttempt, StepOptions } from './core/agent-context.js';
export type { AppState } from './core/app-state.js';
export type { McpServerStatus } from './core/mcp-types.js';
export type { DeepImmutable } from './core/deep-immutable.js';
export {
  isRecoverableError,
  isRetryableError,
  isTroupeError,
  TaskFailedError,
  toFailure,
  TroupeError,
  UnknownRecipientError,
  UsageError,
} from './core/errors.js';
export type { ErrorSeverity, TroupeErrorOptions } from './core/errors.js';
export { Envelope, PermissionRequest, TaskNotification } from './core/events.js';
export { Failure } from './core/failure.js';
export {
  AgentId,
  createAgentId,
  createSessionId,
  createTaskId,
  RequestId,
  SessionId,
  TaskId,
  toAgentId,
  toSessionId,
  toTaskId,
} from './core/ids.js';
export type {
  AssistantMessage,
  ContentBlock,
  ImageBlock,
  Message,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserMessage,
} from './core/messages.js';
export {
  getEmptyToolPermissionContext,
  PermissionAnswer,
  PermissionMode,
  PermissionRule,
  PermissionUpdate,
} from './core/permission-types.js';
export type {
  PermissionDecision,
  PermissionDecisionReason,
  PermissionResult,
  ToolPermissionContext,
} from './core/permission-types.js';
export { isBackgroundTask, isTerminalTaskStatus } from './core/task-types.js';
export type {
  TaskKind,
  TaskOutcome,
  TaskStateBase,
  TaskStatus,
  TaskType,
} from './core/task-types.js';
export type { Usage } from './core/usage.js';

export { defineAgent } from './extensions/agents/define-agent.js';
export { loadAgents } from './extensions/agents/load-agents.js';
export type { LoadedAgents } from './extensions/agents/load-agents.js';

export type { McpServerConfig, McpServers } from './extensions/mcp/server-config.js';

export { loadPermissions } from './extensions/settings/load-permissions.js';

export type { AnswerReceipt } from './machines/permission-request.js';
export { createAnthropicModel } from './model/anthropic-model.js';
export type { Model, ModelEvent, ModelRequest, ModelTool } from './model/model.js';
export { createScriptedModel } from './model/scripted/scripted-model.js';
export { loadScriptFile } from './model/scripted/load-script.js';
export type { UsageTotal } from './model/usage-ledger.js';
export { applyPermissionUpdate } from './permissions/apply-update.js';
export { buildJsonSchemaTool, buildTool } from './tools/build-tool.js';
export {
  createToolError,
  createToolSuccess,
  formatToolResult,
  isToolError,
  isToolSuccess,
  mapToolResult,
  toToolOutcome,
} from './tools/tool-outcome.js';
export type { ToolError, ToolOutcome, ToolSuccess } from './tools/tool-outcome.js';
export type { Tool, ToolProgressData, ToolResult, ToolUseContext } from './tools/tool.js';
