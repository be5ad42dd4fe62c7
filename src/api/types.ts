/** The types for front ends. An import of this file loads no code. */
export type { ControlSocket } from './control/control-socket.js';
export type { ControlRequest, ToldActor } from './control/protocol.js';
export type { CancelledCall, HookNotice, PermissionDenial } from '../actors/services/event-bus.js';
export type { HookCallback, HookMatcher, Hooks } from '../extensions/hooks/hook-types.js';
export type { InspectedActor } from '../actors/contract/inspected-actor.js';
export type { OrchestratorOptions, Trust } from '../actors/options/orchestrator-options.js';
export type { Approvals, AskHandler } from '../actors/contract/approvals.js';
export type { SessionHandle, WorkflowHandle } from '../actors/contract/handles.js';
export type { McpControl, McpSetServersResult } from '../actors/contract/mcp-control.js';
export type { Orchestrator } from '../actors/contract/orchestrator.js';
export type { SessionStart, SharedOptions } from '../actors/contract/session-start.js';
export type { RewoundFiles } from '../actors/contract/rewound-files.js';
export type { ResultMessage } from '../actors/contract/result-message.js';
export type { SessionMessage } from '../actors/contract/session-message.js';
export type { EditorFiles } from '../tools/capabilities/editor-files.js';
export type { ToolView } from '../tools/tool-view.js';
export type { Environment } from '../files/folders.js';
export type { AgentDefinition, Effort } from '../core/agents/agent-definition.js';
export type { AnswerReceipt } from '../core/answer-receipt.js';
export type {
  Command,
  CommandBase,
  DrawnCommand,
  LocalCommandResult,
  LocalJSXCommandContext,
  LocalJSXCommandOnDone,
  ProgramCommand,
  LocalCommandModule,
  Skill,
} from '../core/commands/command.js';
export type { PermissionRequest } from '../core/events.js';
export type { RequestingAgent } from '../core/requesting-agent.js';
export type { AgentId, TaskId } from '../core/ids.js';
export type {
  AssistantBlock,
  ImageBlock,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserBlock,
} from '../core/messages.js';
export type {
  PermissionAnswer,
  PermissionDecision,
  PermissionDecisionReason,
  PermissionResult,
} from '../core/decision-types.js';
export type {
  PermissionBehavior,
  PermissionMode,
  PermissionRule,
  PermissionUpdate,
  ToolPermissionContext,
} from '../core/permission-types.js';
export type { TaskOutcome, TaskStateBase, TaskStatus } from '../core/task-types.js';
export type { ViewEvent } from '../view/view-event.js';
export type { WorkflowTask } from '../workflow/workflow-definition.js';
export type { KeptWorktree } from '../core/worktree.js';
export type { ListedAgent } from '../extensions/agents/list-agents.js';
export type { HookOutput } from '../extensions/hooks/hook-output.js';
export type { LoadedMcpConfig } from '../extensions/mcp/servers/load-config.js';
export type { RelayServer } from '../extensions/mcp/transport/sdk-relay-server.js';
export type { McpServers } from '../extensions/mcp/servers/server-config.js';
export type { ExplainedSettings, ValuePlace } from '../settings/explain/explain-settings.js';
export type { SettingsLayers, WaitingSettings } from '../settings/files/load-layers.js';
export type { LocatedRule, RulePlace } from '../settings/explain/locate-rules.js';
export type { SettingSource } from '../settings/files/settings-files.js';
export type { TeamDefinition } from '../extensions/teams/team-definition.js';
export type { FoundSession } from '../journal/sessions/find-session.js';
export type { SessionSummary } from '../journal/sessions/list-sessions.js';
export type { LogEntry } from '../journal/entries/log-entry.js';
export type { AuditLine } from '../journal/readers/read-audit.js';
export type { WorkflowRecord, WorkflowStepRecord } from '../journal/readers/workflow-record.js';
export type { StepState } from '../workflow/plan/workflow-types.js';
export type { Model, ThinkingConfig } from '../model/model.js';
export type {
  ElicitationRequest,
  ElicitationResult,
  ElicitationValue,
  OnElicitation,
} from '../core/agents/elicitation.js';
export type { EvalCase } from '../permissions/eval/eval-case.js';
export type { Tally } from '../permissions/eval/tally.js';
export type { ToolFacts } from '../permissions/facts/facts.js';
export type { KnownNames } from '../permissions/rules/rule-problems.js';
export type { Change } from '../permissions/what-would-change.js';
export type { Launch } from '../processes/start/containment.js';
export type { SandboxMode, SandboxOptions } from '../processes/sandbox/sandbox.js';
