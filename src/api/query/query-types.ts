/// <reference lib="esnext.disposable" preserve="true" />
import type { PluginPlace } from '../../core/commands/plugin.js';
import type { PermissionMode } from '../../core/permission-types.js';
import type { McpSetServersResult } from '../../actors/contract/mcp-control.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { WireStatus } from '../../actors/sessions/messages/wire-status.js';
import type { UserMessageInput } from '../../actors/contract/user-message.js';
import type { SlashCommand } from '../../actors/contract/slash-commands.js';
import type { SdkPluginConfig } from './query-options.js';
import type { FlagSettings } from './apply-flag-settings.js';
import type { SDKMessage } from './sdk-messages.js';
import type { RewindFilesOptions } from '../../actors/contract/rewound-files.js';
import type { UNSUPPORTED_METHODS } from './unsupported.js';

/** A prompt of a streaming query. */
export type SDKUserMessage = UserMessageInput & {
  readonly type: 'user';
  /** Null: prompts go to the main agent. */
  readonly parent_tool_use_id?: string | null;
  /** Without effect: a query has one session. */
  readonly session_id?: string;
  /** The program's own ID for the prompt, which its replay has. */
  readonly uuid?: string;
};

/** An agent that the session can start. */
export type AgentInfo = {
  /** For `subagent_type` and the option `agent`. */
  readonly name: string;
  /** When to use the agent. */
  readonly description: string;
  /** An ID or an alias; the parent's if absent. */
  readonly model?: string;
};
/** A model that can be chosen by its alias. */
export type ModelInfo = {
  /** An alias, for `setModel`. */
  readonly value: string;
  /** ID that requests have. */
  readonly resolvedModel: string;
  /** The same as `value`. */
  readonly displayName: string;
  /** The same as `resolvedModel`. */
  readonly description: string;
};
export type { SlashCommand };
/** State of an MCP server. */
export type McpServerState = {
  /** Name of the server in `mcpServers`. */
  readonly name: string;
  /** State of the connection. */
  readonly status: WireStatus;
  /** Why it is not connected. */
  readonly error?: string;
};

/** Options of `reloadPlugins()` that Troupe refuses. */
export type PluginReloadOptions = {
  /** Refused: a reload always takes effect. */
  readonly holdOnCacheImpact?: boolean;
  /** Refused: name the folders at the start, in `plugins`. */
  readonly addPlugins?: readonly SdkPluginConfig[];
  /** Refused: a reload takes effect at the next request or tool call. */
  readonly refuseIfBusy?: boolean;
};

/** The parts of a session after its plugins were read again. */
export type ReloadedPlugins = Pick<SessionDescription, 'agents' | 'commands'> & {
  /** Plugins whose parts the session has. */
  readonly plugins: readonly PluginPlace[];
  /** All MCP servers, and how their connections are. */
  readonly mcpServers: readonly McpServerState[];
  /** Number of plugins that are left out. */
  readonly error_count: number;
};

/** The skills of a session after its files were read again. */
export type ReloadedSkills = {
  /** Skills that a person may use. */
  readonly skills: readonly SlashCommand[];
};

/** The output styles after their folders were read again. */
export type ReloadedOutputStyles = {
  /** Names of all styles, the built-in ones first. */
  readonly available_output_styles: readonly string[];
};

/** Facts of the account: the origin of its key. */
export type AccountInfo = {
  /** Environment variable that has the key; `none` if there is no key. */
  readonly apiKeySource: string;
};

/** The answer to `initialize` about a session. */
export type SessionDescription = {
  /** Commands that a prompt may be, at present. */
  readonly commands: readonly SlashCommand[];
  /** Agents that the session can start, built-in ones too. */
  readonly agents: readonly AgentInfo[];
  /** Models that have an alias. */
  readonly models: readonly ModelInfo[];
  /** Name of the style of the session. */
  readonly output_style: string;
  /** Names of all styles, the built-in ones first. */
  readonly available_output_styles: readonly string[];
  /** Origin of the key. */
  readonly account: AccountInfo;
};

/** How full the conversation is, in the form of the SDK's `getContextUsage`, without a breakdown. */
export type ContextUsageReport = {
  /** ID of the main agent's model. */
  readonly model: string;
  /** Tokens of the newest request and its reply: system prompt, tools and messages. */
  readonly totalTokens: number;
  /** Tokens of the context window. */
  readonly maxTokens: number;
  /** The same as `maxTokens`. */
  readonly rawMaxTokens: number;
  /** `totalTokens` as a part of `maxTokens`: 0 to 100. */
  readonly percentage: number;
  /** Two entries: used and free. */
  readonly categories: readonly ContextCategory[];
  /** Always empty. */
  readonly gridRows: readonly never[];
  /** Always empty. */
  readonly memoryFiles: readonly never[];
  /** Always empty. */
  readonly mcpTools: readonly never[];
  /** Always empty. */
  readonly agents: readonly never[];
};

/** Options of `getContextUsage`. */
export type ContextUsageOptions = {
  /** Without effect: the tokens are those of the newest request. */
  readonly detail?: 'summary' | 'full';
};

/** A part of the context window. */
type ContextCategory = {
  /** Name of the part, for people. */
  readonly name: string;
  /** Size of the part. */
  readonly tokens: number;
  /** Always `inactive`. */
  readonly color: string;
  /** Whether the part is in use. */
  readonly kind: 'used' | 'free';
};

/** The changes of `rewindFiles`, or with `dryRun` those that it would make. */
export type RewindFilesResult = {
  /** False: `error` says why not. */
  readonly canRewind: boolean;
  /** Why the files stay as they are, or the files that stay although tools have changed them. */
  readonly error?: string;
  /** Absolute paths of the files that get their earlier content, or are deleted because they are new. */
  readonly filesChanged?: readonly string[];
  /** Number of lines that the files get. */
  readonly insertions?: number;
  /** Number of lines that the files lose. */
  readonly deletions?: number;
};

/** A method that rejects with a `UsageError`. */
type UnsupportedMethod = (...given: readonly unknown[]) => Promise<unknown>;

/** Methods of the SDK's `Query` that no session supports: each rejects with a `UsageError` that says what works instead. */
export interface UnsupportedQueryMethods extends Record<
  keyof typeof UNSUPPORTED_METHODS,
  UnsupportedMethod
> {
  /** Reject: the program can read the file. */
  readFile: UnsupportedMethod;
  /** Reject: only tools of MCP servers are used. */
  readMcpResource: UnsupportedMethod;
  /** Reject: the agent reads a file again before it changes it. */
  seedReadState: UnsupportedMethod;
  /** Reject: a rule `mcp__NAME` under `permissions.ask` has this effect. */
  setMcpPermissionModeOverride: UnsupportedMethod;
  /** Reject: settings files are not changed. */
  updateSettings: UnsupportedMethod;
  /** Reject: tokens and cost are in each result. */
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: UnsupportedMethod;
}

/**
 * The messages of one session, and methods to control it while it runs. The session begins with the first `next`, or
 * with the first method that needs it. When the iteration has ended, by itself, by a `break`, or by `return`, the
 * session has ended and none of its processes is left.
 */
export interface Query
  extends AsyncGenerator<SDKMessage, void, undefined>, UnsupportedQueryMethods {
  /** Stop the turn of the main agent. A streaming query continues with the next prompt. */
  interrupt(): Promise<void>;
  /**
   * Change the permission mode of the session, from the next decision on.
   *
   * @throws UsageError for an unknown mode, PermissionModeUnavailableError
   */
  setPermissionMode(mode: PermissionMode): Promise<void>;
  /** Set the model of the main agent from its next request on. Absent: the model that it started with. */
  setModel(model?: string): Promise<void>;
  /**
   * Give the files that Edit, MultiEdit, Write and NotebookEdit have changed since a user message the content that they had
   * before it. It needs `enableFileCheckpointing`. Files that something else has changed since stay as they are.
   */
  rewindFiles(userMessageId: string, options?: RewindFilesOptions): Promise<RewindFilesResult>;
  /** Send further prompts, in addition to those of the query. Resolves when all have been taken. */
  streamInput(prompts: AsyncIterable<SDKUserMessage>): Promise<void>;
  /** End a sub-agent or a background command. @throws UsageError if there is no task with this ID */
  stopTask(taskId: string): Promise<void>;
  /**
   * Set how much the main agent may think, from its next request on: most tokens, 0 for none, null for the model's
   * default. @throws UsageError for fewer than 1,024 tokens, or as many as a reply may have
   */
  setMaxThinkingTokens(tokens: number | null): Promise<void>;
  /** How full the conversation of the main agent is. `detail` has no effect. */
  getContextUsage(options?: ContextUsageOptions): Promise<ContextUsageReport>;
  /**
   * Send the task that a tool call started to the background, or everything that the main agent waits for. Resolves
   * with whether there was any.
   */
  backgroundTasks(toolUseId?: string): Promise<boolean>;
  /**
   * Read plugins, skills, agents, hooks, servers and settings again, for the running session.
   *
   * @throws UsageError for an option
   */
  reloadPlugins(options?: PluginReloadOptions): Promise<ReloadedPlugins>;
  /** Do the same as `reloadPlugins`, and resolve with the skills. */
  reloadSkills(): Promise<ReloadedSkills>;
  /** Read the folders of output styles again. The session keeps its style. */
  reloadOutputStyles(): Promise<ReloadedOutputStyles>;
  /** Resolve with an empty list: there are no commands yet. */
  supportedCommands(): Promise<readonly SlashCommand[]>;
  /** Resolve with the aliases of models. */
  supportedModels(): Promise<readonly ModelInfo[]>;
  /** Resolve with the agents that the session can start. */
  supportedAgents(): Promise<readonly AgentInfo[]>;
  /** Resolve with the state of each MCP server. */
  mcpServerStatus(): Promise<readonly McpServerState[]>;
  /**
   * Replace the servers of earlier calls, and all servers inside the program. Other servers of options, files and plugins
   * stay until a call has named them. Resolves when the new ones have connected or failed.
   *
   * @throws UsageError for an invalid server; then nothing has changed
   */
  setMcpServers(servers: McpServers): Promise<McpSetServersResult>;
  /** Enable or disable an MCP server. @throws UsageError for an unknown server, McpConnectError if it cannot be connected */
  toggleMcpServer(serverName: string, enabled: boolean): Promise<void>;
  /** Connect an MCP server anew. @throws UsageError for an unknown or disabled one, McpConnectError if it cannot be connected */
  reconnectMcpServer(serverName: string): Promise<void>;
  /** Resolve with commands, models, agents and account of the session. */
  initializationResult(): Promise<SessionDescription>;
  /** The same as `initializationResult`. */
  reinitialize(): Promise<SessionDescription>;
  /**
   * Change settings of the main agent from its next request on. @throws UsageError for a setting that cannot change in
   * a session
   */
  applyFlagSettings(settings: FlagSettings): Promise<void>;
  /** Resolve with the origin of the key. */
  accountInfo(): Promise<AccountInfo>;
  /** End the query like `return`, without waiting for it. */
  close(): void;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
