import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import type { Clock } from '../../core/time/clock.js';
import type { InspectionEvent } from '../../core/agents/inspection-event.js';
import type { ToolPermissionContext } from '../../core/permission-types.js';
import type { TaskBudget } from '../../core/tasks/task-budget.js';
import type { McpServers } from '../../extensions/mcp/server-config.js';
import type { SettingSource } from '../../settings/settings-files.js';
import type { SessionContext } from '../../context/context-keys.js';
import type { Model } from '../../model/model.js';
import type { ModelPrices } from '../../usage/prices.js';
import type { SandboxOptions } from '../../processes/sandbox.js';
import type { Tool } from '../../tools/tool.js';
import type { CanUseTool } from './can-use-tool.js';
import type { Classifier } from './classifier.js';
import type { Hooks } from '../../extensions/hooks/hook-types.js';
import type { ProgramPermissions } from './read-permissions.js';

/** Whether a folder is trusted: for good, only in this run, or not. */
export type Trust = boolean | 'thisRun';

/** What an orchestrator is made of: folder, model, tools, agents, permissions. All is optional. */
export type OrchestratorOptions = {
  /** Where agents work: an existing folder, by its absolute path. The process's own if absent. */
  readonly cwd?: string;
  /** Where replies come from; the Anthropic API by the environment's key where absent. */
  readonly model?: Model;
  /** Id or alias of the model that agents use where their definition names none. */
  readonly modelName?: string;
  /**
   * Ids or aliases of models that stand in for an agent's own, in this order, after three overloads in a row; until the
   * next prompt. A text may name several, with commas between them.
   */
  readonly fallbackModel?: string | readonly string[];
  /** Tools beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Names of the built-in tools that agents may have; all where absent. */
  readonly builtInTools?: readonly string[];
  /**
   * MCP servers by name, shared by all sessions and started with the first. A session's first request waits until each
   * has connected or failed, at most 30 s; tools that a server gets later are not seen.
   */
  readonly mcpServers?: McpServers;
  /** Agents beside the built-in ones; the same name replaces. */
  readonly agents?: readonly AgentDefinition[];
  /** What prompts tell of instructions and repository; nothing where absent. `loadContext` reads it. */
  readonly context?: SessionContext;
  /**
   * Rules and mode that every session starts with; without them, whatever changes something is asked. Either the words
   * of the settings, `{ allow, deny, ask, mode, additionalDirectories }`, or what `loadPermissions` returns.
   */
  readonly permissions?: ProgramPermissions | ToolPermissionContext;
  /**
   * Whether the folder is trusted; true if absent. False: git commands that only read run with safe options, or need
   * approval if the repository configures more than those switch off. `thisRun`: as true, but later runs do not trust the
   * folder, so a rule that is remembered in it waits there.
   */
  readonly isTrusted?: Trust;
  /**
   * Layers of settings whose files keep what answers say for good (`updatedPermissions` for userSettings,
   * projectSettings or localSettings); such an answer holds for the session only where absent.
   */
  readonly persistPermissions?: readonly SettingSource[];
  /**
   * Keep a rule that allows something in a folder that is not trusted in the user's own file for that folder, below
   * Troupe's home, where it counts at once. Without this it is written into the folder and waits for trust.
   */
  readonly ownFileIfUntrusted?: boolean;
  /** Decides permission requests, beside other approvers. */
  readonly canUseTool?: CanUseTool;
  /** `canUseTool` is asked also about what a rule, the mode or a hook allows. */
  readonly requireCanUseTool?: boolean;
  /** Functions and commands that are run before tools are used, and before somebody is asked. */
  readonly hooks?: Hooks;
  /** Decides in the mode `auto`; a small model where absent. */
  readonly classifier?: Classifier;
  /** `mcp__server__tool`: a tool of one of `mcpServers` that asks go to. No agent has it. */
  readonly permissionPromptTool?: string;
  /** Folder of journals; `TROUPE_HOME` or `~/.troupe` where absent. */
  readonly home?: string;
  /** False: journals are kept in a temporary folder that `close` removes, and no session can be gone on with. */
  readonly persists?: boolean;
  /** Environment of shells, and where keys and addresses are read from; the process's own where absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What holds shells back, beside rules; nothing where absent. Tried out when the first session starts. */
  readonly sandbox?: SandboxOptions;
  /** Most output tokens of one request. */
  readonly maxTokens?: number;
  /** What models cost, beside the built-in prices and before them. */
  readonly prices?: ModelPrices;
  /** What each sub-agent and all below it may use, where neither its start nor its definition says so. */
  readonly taskBudget?: TaskBudget;
  /** A stream that says nothing for so long, not even that it lives, counts as broken; 90 s where absent. */
  readonly streamIdleTimeoutMs?: number;
  /** The same for the time until its first word; 5 minutes where absent. */
  readonly streamStartTimeoutMs?: number;
  /** Tokens that a request and its reply may have together; what the model's id says where absent. */
  readonly contextWindow?: number;
  /** False: a conversation is compacted only on request, and fails when it outgrows the window. */
  readonly autoCompact?: boolean;
  /**
   * How many agents that others have started may work at once, in all sessions together; no limit where absent. One that
   * waits for agents below it, or has nothing to do, does not count, and waits for room before it goes on; the others are
   * pending until there is some.
   */
  readonly maxConcurrentAgents?: number;
  /** How deep agents may start agents; the session's own is at 0. */
  readonly maxDepth?: number;
  /**
   * From the kill of a task to the moment when whatever has not stopped is torn off, ms; 1,000 if absent. A tool call that
   * was interrupted and does not stop for so long gets an error as its result, and its agent goes on without it.
   */
  readonly graceMs?: number;
  /** Passed on to tools, as `options.verbose` of their context. */
  readonly verbose?: boolean;
  /** For tests: the clock of every wait. */
  readonly clock?: Clock;
  /** For tests: the time that is journaled, epoch ms. */
  readonly now?: () => number;
  /** For tests and tools: every event and snapshot of every actor, before anything else learns of it. */
  inspect?(event: InspectionEvent): void;
};
