import type { LiveFiles } from './live-files.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { ProgramCommand, Skill } from '../../core/commands/command.js';
import type { SessionPlugins } from '../../core/commands/plugin.js';
import type { Clock } from '../../core/time/clock.js';
import type { InspectionEvent } from '../../core/agents/inspection-event.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { LimitServers } from '../../extensions/mcp/servers/server-policy.js';
import type { LspServers } from '../../settings/schema/lsp-settings.js';
import type { SettingSource } from '../../settings/files/settings-files.js';
import type { SessionContext } from '../../context/context-keys.js';
import type { Model } from '../../model/model.js';
import type { ModelLimits } from '../../model/choice/model-limits.js';
import type { ModelPrices } from '../../usage/prices.js';
import type { SandboxOptions } from '../../processes/sandbox/sandbox.js';
import type { Tool } from '../../tools/tool.js';
import type { EditorFiles } from '../../tools/capabilities/editor-files.js';
import type { FileReadingLimits, GlobLimits } from '../../tools/tool-context-groups.js';
import type { WebSearchProvider } from '../../tools/capabilities/web-capabilities.js';
import type { AnalyticsSink } from '../contract/analytics.js';
import type { CanUseTool } from './can-use-tool.js';
import type { OnElicitation } from '../../core/agents/elicitation.js';
import type { Classifier } from './classifier.js';
import type { Hooks } from '../../extensions/hooks/hook-types.js';
import type { ProgramPermissions } from './read-permissions.js';

/** Whether a folder is trusted: always, not at all, or only in this run. */
export type Trust = boolean | 'thisRun';

/** Options of an orchestrator: folder, model, tools, agents, permissions. All are optional. */
export type OrchestratorOptions = {
  /** Folder that agents work in: an absolute path that exists. The folder of the process if absent. */
  readonly cwd?: string;
  /** Model that answers requests; if absent, the Anthropic API with the key of `env`. */
  readonly model?: Model;
  /** ID or alias of the model of agents whose definition names none. */
  readonly modelName?: string;
  /**
   * IDs or aliases of models that answer until the next prompt, in this order, after three consecutive overloads. A
   * text may name several, with commas between them.
   */
  readonly fallbackModel?: string | readonly string[];
  /** Tools beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Names of the built-in tools that agents may have; all if absent. */
  readonly builtInTools?: readonly string[];
  /**
   * MCP servers by name, shared by all sessions and started with the first. A session's first request waits until each
   * has connected or failed, at most 30 s; tools that a server gets later are not seen.
   */
  readonly mcpServers?: McpServers;
  /** Leaves out the MCP servers that settings do not let a session use, with the reason for each. */
  readonly limitServers?: LimitServers;
  /** The models that settings let sessions use; all if absent. */
  readonly limitModels?: ModelLimits;
  /**
   * Language servers by name, for the tool LSP. They start when a tool needs them, and only if the folder is trusted. If
   * none is for TypeScript, a `typescript-language-server` is used if the project or the `PATH` has one.
   */
  readonly lspServers?: LspServers;
  /** Agents beside the built-in ones; the same name replaces. */
  readonly agents?: readonly AgentDefinition[];
  /** Skills and commands of files, as `loadSkills` returns them. If absent, sessions take no commands of files. */
  readonly skills?: readonly Skill[];
  /**
   * Commands of the program, in every list of commands: `useSkill` and `runCommand` of a session use them, and for clients
   * the prompt `/name args`. With this option there are commands also without `skills`.
   */
  readonly commands?: readonly ProgramCommand[];
  /** The files that `agents`, `env`, `hooks`, `permissions` and `skills` came from: their changes reach running sessions. */
  readonly liveFiles?: LiveFiles;
  /** Gets events about sessions: names, numbers and outcomes, no text. Nothing is sent anywhere without it. */
  readonly analytics?: AnalyticsSink;
  /** The plugins of a run, for the first message of a session. Their parts are in the other options. */
  readonly plugins?: SessionPlugins;
  /** Instructions and state of the repository for prompts, as `loadContext` returns them; none if absent. */
  readonly context?: SessionContext;
  /**
   * Rules and mode that every session starts with; without them, every call that changes something needs approval.
   * Either the words of the settings, `{ allow, deny, ask, mode, additionalDirectories }`, or the return value of
   * `loadPermissions`.
   */
  readonly permissions?: ProgramPermissions | ToolPermissionContext;
  /**
   * Whether the folder is trusted; true if absent. False: read-only git commands run with safe options, or need
   * approval if the repository configures more than those switch off. `thisRun`: as true, but later runs do not trust
   * the folder, so a remembered rule in it waits until they do.
   */
  readonly isTrusted?: Trust;
  /**
   * Layers of settings whose files keep remembered rules: `updatedPermissions` of decisions with that destination. If
   * absent, such rules hold only for the session.
   */
  readonly persistPermissions?: readonly SettingSource[];
  /**
   * True: if the folder is not trusted, remembered rules that allow something are kept in the user's own file for that
   * folder, below `home`, and hold at once. Otherwise they are written into the folder and wait for trust.
   */
  readonly ownFileIfUntrusted?: boolean;
  /** Decides permission requests, beside other approvers. */
  readonly canUseTool?: CanUseTool;
  /** Answers the questions of MCP servers, beside the other approvers. */
  readonly onElicitation?: OnElicitation;
  /** True: `canUseTool` also decides calls that a rule, the mode or a hook allows. */
  readonly requireCanUseTool?: boolean;
  /** Functions and commands that run before tools, and before permission requests. */
  readonly hooks?: Hooks;
  /** Searches the web for the tool WebSearch; if absent, the API of the model, if it can. */
  readonly webSearch?: WebSearchProvider;
  /** Decides in the mode `auto`; a small model if absent. */
  readonly classifier?: Classifier;
  /** `mcp__server__tool`: a tool of one of `mcpServers` that decides permission requests. No agent has it. */
  readonly permissionPromptTool?: string;
  /** Folder of journals; `TROUPE_HOME` of `env`, or `~/.troupe`, if absent. */
  readonly home?: string;
  /**
   * Days after which the journal of a session is removed, when the first session starts. A session that runs or is
   * resumed stays. Nothing is removed if absent.
   */
  readonly cleanupPeriodDays?: number;
  /**
   * True: the conversation of each session is also in `<home>/projects/<folder>/<session>.jsonl`, in the format of Claude
   * Code, for other programs. Sessions with hooks always have the file.
   */
  readonly transcripts?: boolean;
  /** False: journals are in a temporary folder that `close` removes, so no session can be resumed. */
  readonly persists?: boolean;
  /** Environment of shells, which also has keys and addresses; that of the process if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Sandbox of shell commands, beside rules; none if absent. It is tried out when the first session starts, which
   * rejects if it does not work.
   */
  readonly sandbox?: SandboxOptions;
  /** Most output tokens of one request. */
  readonly maxTokens?: number;
  /** Prices by ID of the model. They come before the built-in prices. */
  readonly prices?: ModelPrices;
  /** Limits of each sub-agent and everything below it, if neither its start nor its definition has any. */
  readonly taskBudget?: TaskBudget;
  /** A reply counts as broken if nothing arrives for this time, not even a ping; 90,000 if absent. */
  readonly streamIdleTimeoutMs?: number;
  /** A request counts as broken if its reply does not begin within this time; 300,000 if absent. */
  readonly streamStartTimeoutMs?: number;
  /** Tokens that a request and its reply may have together; derived from the model's ID if absent. */
  readonly contextWindow?: number;
  /** False: a conversation is compacted only on request, and fails when it outgrows the window. */
  readonly autoCompact?: boolean;
  /** Size of the list of skills that models see. */
  readonly skillListing?: {
    /** Part of the context window for the list, above 0 and at most 1; 0.01 if absent. */
    readonly budgetFraction?: number;
    /** Most characters of one description; 1,536 if absent. */
    readonly maxDescriptionChars?: number;
  };
  /**
   * True: a session that stays open consolidates the notes about its project by itself, at most once a day and after
   * five sessions. False if absent.
   */
  readonly dreams?: boolean;
  /**
   * How many sub-agents work at once, in all sessions together; no limit if absent. An agent that is idle or waits for
   * agents below it does not count, and waits for room before it continues. Further agents are pending until there is
   * room.
   */
  readonly maxConcurrentAgents?: number;
  /** How deep agents may start agents; the main agent has depth 0. */
  readonly maxDepth?: number;
  /**
   * Time from the kill of a task until its processes are ended by force, ms; 1,000 if absent. An interrupted tool call
   * that does not stop within it gets an error as its result, and its agent continues without it.
   */
  readonly graceMs?: number;
  /** The files of an editor: Read, Edit, MultiEdit and Write see what is not saved, and write through it. */
  readonly editor?: EditorFiles;
  /** Limits of the tool Read, below its own. */
  readonly fileReadingLimits?: FileReadingLimits;
  /** Limits of the tool Glob, below its own. */
  readonly globLimits?: GlobLimits;
  /** Passed on to tools, as `session.verbose` of their context. */
  readonly verbose?: boolean;
  /** For tests: the clock of every wait. */
  readonly clock?: Clock;
  /** For tests: the time that is journaled, epoch ms. */
  readonly now?: () => number;
  /** For tests and tools: called with every event and snapshot of every actor, before anything else sees it. */
  inspect?(event: InspectionEvent): void;
};
