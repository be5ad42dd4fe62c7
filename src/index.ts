export type { CanUseTool, CanUseToolOptions } from './actors/options/can-use-tool.js';
export type * from './core/agents/elicitation.js';
export type * from './core/agents/mcp-offerings.js';
export type {
  Classifier,
  ClassifierQuestion,
  ClassifierVerdict,
  ClassifyOptions,
} from './actors/options/classifier.js';
export type {
  HookCallback,
  HookCallbackOptions,
  HookMatcher,
  Hooks,
} from './extensions/hooks/hook-types.js';
export type * from './extensions/hooks/hook-inputs.js';
export type * from './extensions/hooks/session-hook-inputs.js';
export type * from './extensions/hooks/tool-hook-inputs.js';
export type * from './extensions/hooks/turn-hook-inputs.js';
export { openControlSocket } from './api/control/control-socket.js';
export type { ControlSocket, ControlSocketPlace } from './api/control/control-socket.js';
export { createOrchestrator } from './api/orchestrator/orchestrator.js';
export type { ProgramPermissions } from './actors/options/read-permissions.js';
export type { OrchestratorOptions, Trust } from './actors/options/orchestrator-options.js';
export type * from './actors/contract/approvals.js';
export type {
  EndOptions,
  PromptOptions,
  SessionHandle,
  TaskHandle,
  TaskOutputOptions,
  TaskOutputPart,
  WorkflowHandle,
} from './actors/contract/handles.js';
export type { AnalyticsMetadata, AnalyticsSink } from './actors/contract/analytics.js';
export type { McpControl, McpSetServersResult } from './actors/contract/mcp-control.js';
export type { Orchestrator } from './actors/contract/orchestrator.js';
export type { SessionStart } from './actors/contract/session-start.js';
export type { InspectedActor } from './actors/contract/inspected-actor.js';
export type { MapOptions, SpawnOptions } from './actors/contract/spawn-options.js';
export type { WorkflowStart } from './actors/contract/workflow-start.js';
export type {
  AgentOrigin,
  MessageMeta,
  PermissionDenial,
  CancelledCall,
  SessionEvents,
} from './actors/services/event-bus.js';
export type { SessionListeners } from './actors/contract/session-listeners.js';
export type { ModelUsage, ResultMessage } from './actors/contract/result-message.js';
export type { SessionMessage } from './actors/contract/session-message.js';
export { AbortError } from './api/query/abort-error.js';
export { query } from './api/query/query.js';
export type { QueryRequest } from './api/query/query.js';
export type { FlagSettings } from './api/query/apply-flag-settings.js';
export type { QueryOptions, QueryOptions as Options } from './api/query/query-options.js';
export type {
  AccountInfo,
  AgentInfo,
  ContextUsageOptions,
  McpServerState,
  ModelInfo,
  Query,
  RewindFilesResult,
  SDKUserMessage,
  SlashCommand,
} from './api/query/query-types.js';
export type { HookCallbackMatcher, HookEvent, HookJSONOutput } from './api/query/sdk-hooks.js';
export { PermissionRequestOverError } from './actors/contract/permission-request-over-error.js';
export type { PermissionRequestEnd } from './actors/contract/permission-request-over-error.js';
export type { RewindFilesOptions, RewoundFiles } from './actors/contract/rewound-files.js';
export type { TaskUsage } from './actors/contract/task-usage.js';
export { all, race } from './actors/handles/task-groups.js';
export { TaskKilledError } from './actors/contract/task-killed-error.js';
export { TaskRefusedError } from './actors/contract/task-refused-error.js';

export { loadContext } from './context/context-keys.js';
export type { LoadContextOptions, LoadedContext, SessionContext } from './context/context-keys.js';
export type { SandboxOptions } from './processes/sandbox/sandbox.js';
export { SandboxUnavailableError } from './processes/sandbox/sandbox-unavailable-error.js';
export { WorktreeError } from './git/worktree/worktree-error.js';
export type { ManualExtractionResult } from './context/memory/dream.js';
export type { MemoryFileInfo, MemoryType } from './context/memory/memory-file.js';

export type { Clock } from './core/time/clock.js';
export type { InspectionEvent } from './core/agents/inspection-event.js';
export { AgentDefinition, Effort } from './core/agents/agent-definition.js';
export type { AgentMcpServerSpec } from './core/agents/agent-definition.js';
export type { Effort as EffortLevel } from './core/agents/agent-definition.js';
export type { AgentContext, StepAttempt, StepOptions } from './core/agents/agent-context.js';
export type { AppState } from './core/agents/app-state.js';
export type { McpServerStatus } from './core/agents/mcp-types.js';
export type { DeepImmutable } from './core/json/deep-immutable.js';
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
export type { ErrorSeverity, FaultPlace, TroupeErrorOptions } from './core/errors.js';
export { Envelope, PermissionRequest, TaskNotification } from './core/events.js';
export type { Hop } from './core/events.js';
export type { RequestingAgent } from './core/requesting-agent.js';
export type {
  CompactionReport,
  CompactionResult,
  CompactionTrigger,
} from './core/agents/compaction.js';
export { CompactionFailedError } from './actors/agents/compaction/compaction-failed-error.js';
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
export { PermissionAnswer } from './core/decision-types.js';
export {
  getEmptyToolPermissionContext,
  PermissionMode,
  PermissionRule,
  PermissionUpdate,
} from './core/permission-types.js';
export type * from './core/decision-types.js';
export type {
  AdditionalWorkingDirectory,
  PermissionRuleSource,
  ToolPermissionContext,
  ToolPermissionRulesBySource,
} from './core/permission-types.js';
export { isBackgroundTask, isTerminalTaskStatus, TASK_TYPES } from './core/task-types.js';
export type { TodoItem } from './core/tasks/todo.js';
export type { PluginError } from './core/commands/plugin.js';
export type { RateLimitMessage } from './model/errors/rate-limit.js';
export type {
  TaskKind,
  TaskOutcome,
  TaskStateBase,
  TaskStatus,
  TaskType,
} from './core/task-types.js';
export { SharedTask } from './core/tasks/shared-task.js';
export type { SharedTasks } from './core/tasks/shared-task.js';
export { TaskBudget } from './core/tasks/task-budget.js';
export type { Team, TeamRequest } from './core/tasks/team.js';
export { WorkflowDefinition, WorkflowTask } from './workflow/workflow-definition.js';
export type { WorkflowInputs } from './workflow/workflow-definition.js';
export type { Usage } from './core/tasks/usage.js';

export type { AgentSpec } from './extensions/agents/agent-spec.js';
export { defineAgent } from './extensions/agents/define-agent.js';
export { listAgents } from './extensions/agents/list-agents.js';
export type { ListAgentsOptions, ListedAgent } from './extensions/agents/list-agents.js';
export { loadSkills } from './extensions/skills/load-skills.js';
export type { LoadSkillsOptions, LoadedSkills } from './extensions/skills/load-skills.js';
export type * from './core/commands/command.js';
export type { SkillCapabilities } from './tools/capabilities/skill-capabilities.js';
export { loadAgents } from './extensions/agents/load-agents.js';
export type { LoadedAgents } from './extensions/agents/load-agents.js';
export type { LoadAgentsOptions } from './extensions/agents/read-agent-files.js';

export { defineTeam } from './extensions/teams/define-team.js';
export { loadTeam } from './extensions/teams/load-team.js';
export type { TeamSurroundings } from './extensions/teams/find-team-problems.js';
export { planTeam } from './extensions/teams/plan-team.js';
export type { TeamPlan } from './extensions/teams/plan-team.js';
export type { TeamDefinition, TeamSource } from './extensions/teams/team-definition.js';
export { TeamFileError } from './extensions/teams/team-file-error.js';

export { createSdkMcpServer, tool } from './extensions/mcp/servers/sdk-server.js';
export type {
  McpSdkServerConfig,
  McpServerToolPolicy,
  McpSdkServerConfig as McpSdkServerConfigWithInstance,
  McpTransport,
  SdkMcpServerInstance,
  SdkMcpToolDefinition,
  SdkServerOptions,
  SdkToolOptions,
  ToolHandlerExtra,
} from './extensions/mcp/servers/sdk-server.js';
export type {
  McpHttpServerConfig,
  McpServerConfig,
  McpServers,
  McpSSEServerConfig,
  McpStdioServerConfig,
} from './extensions/mcp/servers/server-config.js';

export { loadPermissions } from './settings/permissions/load-permissions.js';
export type { LoadPermissionsOptions } from './settings/permissions/load-permissions.js';
export type { LspServerConfig, LspServers } from './settings/schema/lsp-settings.js';
export type { SettingSource } from './settings/files/settings-files.js';

export * from './api/query/agent-sdk.js';
export type {
  ListSessionsOptions,
  SessionStatus,
  SessionSummary,
} from './journal/sessions/list-sessions.js';
export type { SessionLabels } from './journal/sessions/session-labels.js';
export type { LogEntry } from './journal/entries/log-entry.js';
export { readLog } from './journal/readers/read-log.js';
export type { ReadLogOptions } from './journal/readers/read-log.js';
export { readMail } from './journal/readers/read-mail.js';
export type { MailItem, MailState } from './journal/readers/read-mail.js';

export { readWorkflow } from './journal/readers/workflow-record.js';
export type { WorkflowRecord, WorkflowStepRecord } from './journal/readers/workflow-record.js';
export type { StepState } from './workflow/plan/workflow-types.js';
export type { AnswerReceipt } from './core/answer-receipt.js';
export { createAnthropicModel } from './model/anthropic/anthropic-model.js';
export type { AnthropicModelOptions } from './model/anthropic/anthropic-model.js';
export type {
  Model,
  ModelEvent,
  ModelRequest,
  ModelStreamOptions,
  ModelTool,
  ThinkingConfig,
} from './model/model.js';
export { createScriptedModel } from './model/scripted/scripted-model.js';
export type { ScriptedModelOptions } from './model/scripted/scripted-model.js';
export { loadScriptFile } from './model/scripted/load-script.js';
export type { LoadScriptOptions } from './model/scripted/load-script.js';
export { BudgetExceededError } from './usage/budget-exceeded-error.js';
export type { BudgetState } from './usage/budget.js';
export { PriceUnknownError } from './usage/price-unknown-error.js';
export { PRICES_AS_OF } from './usage/prices.js';
export type { ModelPrice, ModelPrices } from './usage/prices.js';
export type { UsageTotal } from './usage/usage-account.js';
export { applyPermissionUpdate } from './permissions/modes/apply-update.js';
export { parseToolInput } from './api/tools/parse-tool-input.js';
export type { ToolInputResult } from './api/tools/parse-tool-input.js';
export { buildJsonSchemaTool, buildTool } from './tools/build-tool.js';
export type { JsonSchemaToolDef } from './tools/build-tool.js';
export type { BuiltTool, ToolDef } from './tools/complete-tool.js';
export { defineTool } from './tools/define-tool.js';
export type { RunOptions, SimpleTool } from './tools/define-tool.js';
export {
  createToolError,
  createToolSuccess,
  formatToolResult,
  isToolError,
  isToolSuccess,
  mapToolResult,
  toToolOutcome,
} from './tools/calls/tool-outcome.js';
export type * from './tools/calls/tool-outcome.js';
export type {
  AnyObject,
  NewMessage,
  Tool,
  ToolInputJSONSchema,
  ToolProgressData,
  ToolPromptOptions,
  ToolResult,
  ToolSurroundings,
  ToolUseContext,
  ToolUseSession,
  ValidationResult,
} from './tools/tool.js';
export type { FileState, FileStateCache } from './tools/capabilities/file-state-cache.js';
export type { BashProgress } from './tools/shell/run-shell.js';
export { findToolByName } from './tools/pool/find-tool.js';
export type * from './tools/calls/tool-aliases.js';
export type * from './tools/tool-context-groups.js';
export type * from './tools/capabilities/mcp-capabilities.js';
export type * from './tools/capabilities/server-requests.js';
export type * from './tools/capabilities/language-servers.js';
export type * from './tools/tool-inputs.js';
export type { DiffHunk } from './core/text/diff-hunks.js';
export type * from './tools/tool-view.js';
export type * from './tools/calls/read-result.js';
export * from './tools/calls/tool-results.js';
export * from './api/tools/tool-registry.js';
export type * from './tools/capabilities/web-capabilities.js';
