import type { CanUseTool } from '../../actors/options/can-use-tool.js';
import type { ProgramCommand } from '../../core/commands/command.js';
import type { OnElicitation } from '../../core/agents/elicitation.js';
import type { Effort } from '../../core/agents/agent-definition.js';
import type { CHOOSABLE_PERMISSION_MODES } from '../../core/permission-types.js';
import type { AgentSpec } from '../../extensions/agents/agent-spec.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { WebSearchProvider } from '../../tools/capabilities/web-capabilities.js';
import type { SharedOptions } from '../../actors/contract/session-start.js';
import type { SettingSource } from '../../settings/files/settings-files.js';
import type { SandboxSettings } from '../../settings/schema/settings-schema.js';

/** Troupe's own prompt, or its own tools, with the names of the Claude Agent SDK. */
type QueryPreset = {
  readonly type: 'preset';
  readonly preset: 'claude_code';
};

/** {@link QueryPreset} as a system prompt. */
type SystemPromptPreset = QueryPreset & {
  /** Text after Troupe's own prompt. */
  readonly append?: string | undefined;
};

/** Thinking as the model sees fit. */
export type ThinkingAdaptive = { readonly type: 'adaptive' };
/** Thinking within a budget. */
export type ThinkingEnabled = {
  readonly type: 'enabled';
  /** Tokens of thinking in one reply, at least 1; as the model sees fit if absent. */
  readonly budgetTokens?: number | undefined;
};
/** No thinking. */
export type ThinkingDisabled = { readonly type: 'disabled' };

/** A plugin of `query`. */
export type SdkPluginConfig = {
  /** The only kind: a folder. */
  readonly type: 'local';
  /** Path of the folder. */
  readonly path: string;
};

/** Form of the result. */
export type JsonSchemaOutputFormat = {
  readonly type: 'json_schema';
  /** JSON schema of an object: `structured_output` of the result satisfies it. */
  readonly schema: Readonly<Record<string, unknown>>;
};

/** Options that may also be undefined. */
type OrUndefined<Options> = { readonly [Name in keyof Options]: Options[Name] | undefined };

/**
 * The options of `query`, with the names of the Claude Agent SDK. An option that is undefined counts as absent. An invalid
 * value rejects the first `next` with a `UsageError`.
 */
export type QueryOptions = OrUndefined<SharedOptions> & {
  /** Ends the query when it aborts: after a last `result` the iteration rejects with an `AbortError`. */
  readonly abortController?: AbortController | undefined;
  /** Existing folders that belong to the workspace in addition to `cwd`: absolute, or relative to `cwd`. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** Name of the agent that is the main agent: one of `agents`, of the sources of settings, or built in. */
  readonly agent?: string | undefined;
  /** Agents by name. They replace agents of the same name in files. */
  readonly agents?: Readonly<Record<string, AgentSpec>> | undefined;
  /** True: the mode may be switched to `bypassPermissions` later, by `setPermissionMode`. */
  readonly allowDangerouslySkipPermissions?: boolean | undefined;
  /** Rules for calls that run without a permission request, such as `Read` or `Bash(npm test *)`. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Text after the system prompt. Without effect if a session is resumed. */
  readonly appendSystemPrompt?: string | undefined;
  /** Decides permission requests. Without it and `permissionPromptToolName` they are denied. */
  readonly canUseTool?: CanUseTool | undefined;
  /** Answers the questions of MCP servers. Without it they are declined. */
  readonly onElicitation?: OnElicitation | undefined;
  /** True: resume the newest session of the folder. Not together with `resume`. */
  readonly continue?: boolean | undefined;
  /** Existing folder to work in. Absent: the folder of the session that is resumed, or else of the process. */
  readonly cwd?: string | undefined;
  /** Rules for calls that never run, whatever allows them. */
  readonly disallowedTools?: readonly string[] | undefined;
  /** How much models think. A definition's own `effort` comes first; the default of the model if absent. */
  readonly effort?: Effort | undefined;
  /** Environment instead of the process's own: keys, addresses, and variables of shells. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** IDs or aliases of models, with commas between them, for when `model` is overloaded. */
  readonly fallbackModel?: string | undefined;
  /** True, with `resume` or `continue`: work on a copy of the session, which gets a new ID. */
  readonly forkSession?: boolean | undefined;
  /**
   * With `resume` and `forkSession`: `uuid` of the message of `getSessionMessages` that the conversation of the copy ends
   * with. A reply is kept with the results of its tool calls. Files stay as they are.
   */
  readonly resumeSessionAt?: string | undefined;
  /**
   * Lists of {@link HookCallbackMatcher} by event. Hooks of an unknown event are rejected: they could deny something.
   */
  readonly hooks?: Readonly<Record<string, unknown>> | undefined;
  /** Tokens of thinking in one reply; 0 for none. Used only if `thinking` is absent. */
  readonly maxThinkingTokens?: number | undefined;
  /** Folders of plugins; relative ones are in `cwd`. A plugin that cannot be used is in `plugin_errors` of the first message. */
  readonly plugins?: readonly SdkPluginConfig[] | undefined;
  /** MCP servers by name: programs, and servers of `createSdkMcpServer`. Those of `settingSources` are added. */
  readonly mcpServers?: McpServers | undefined;
  /** ID or alias of the model of agents whose definition names none. */
  readonly model?: string | undefined;
  /** Form of the result; a text if absent. */
  readonly outputFormat?: JsonSchemaOutputFormat | undefined;
  /**
   * Permission mode, for calls that no rule decides; `manual` is the same as `default`. `bypassPermissions` is rejected
   * for root, unless `IS_SANDBOX=1`.
   */
  readonly permissionMode?: (typeof CHOOSABLE_PERMISSION_MODES)[number] | 'manual' | undefined;
  /** `mcp__server__tool`: the MCP tool that decides permission requests. Not together with `canUseTool`. */
  readonly permissionPromptToolName?: string | undefined;
  /** False: the journal is in a temporary folder, which is removed at the end. True if absent. */
  readonly persistSession?: boolean | undefined;
  /** ID of a session to resume. It keeps its system prompt and its `outputFormat`. Not together with `continue`. */
  readonly resume?: string | undefined;
  /** Sandbox of shell commands. Its lists are added to those of settings; its other fields come before them. */
  readonly sandbox?: SandboxSettings | undefined;
  /**
   * Sources whose settings, agents, instructions and MCP servers are read; none if absent. To name a source is to trust it:
   * rules of its files that allow something count.
   */
  readonly settingSources?: readonly SettingSource[] | undefined;
  /** Settings as an object or as JSON text, or the path of a settings file. */
  readonly settings?: string | Readonly<Record<string, unknown>> | undefined;
  /** Gets the lines that the command would write to stderr, each with its line end; stderr if absent. */
  readonly stderr?: ((line: string) => void) | undefined;
  /** True: no MCP servers except those of `mcpServers`. */
  readonly strictMcpConfig?: boolean | undefined;
  /** System prompt of the main agent; Troupe's own if absent. Without effect if a session is resumed. */
  readonly systemPrompt?: string | SystemPromptPreset | undefined;
  /** Whether and how much models think; the default of the model if absent. */
  readonly thinking?: ThinkingAdaptive | ThinkingEnabled | ThinkingDisabled | undefined;
  /**
   * Names of the skills that the model may use, or `all`; the tool `Skill` then needs no approval. If absent, the model may
   * use all skills of the setting sources.
   */
  readonly skills?: 'all' | readonly string[] | undefined;
  /** Commands of the program, for a prompt `/name args`. Not an option of the Claude Agent SDK. */
  readonly commands?: readonly ProgramCommand[] | undefined;
  /** Names of the built-in tools that agents have, `[]` for none; all if absent or a preset. Unknown names are reported. */
  readonly tools?: readonly string[] | QueryPreset | undefined;

  /** Accepted, without effect. */
  readonly debug?: unknown;
  /** Accepted, without effect. */
  readonly debugFile?: unknown;
  /** Accepted, without effect: no command is started. */
  readonly executable?: unknown;
  /** Accepted, without effect: no command is started. */
  readonly executableArgs?: unknown;
  /** Accepted, without effect: no command is started. */
  readonly pathToClaudeCodeExecutable?: unknown;
  /** Accepted, without effect: no command is started. */
  readonly spawnClaudeCodeProcess?: unknown;
  /** Searches the web for the tool WebSearch, instead of the API. Not an option of the Claude Agent SDK. */
  readonly webSearch?: WebSearchProvider | undefined;

  /** Without effect. If it is switched on, a line on `stderr` says so. */
  readonly agentProgressSummaries?: unknown;
  /** Without effect. If it is switched on, a line on `stderr` says so. */
  readonly betas?: unknown;
  /** Without effect. If it is switched on, a line on `stderr` says so. */
  readonly extraArgs?: unknown;
  /** Without effect. If it is switched on, a line on `stderr` says so. */
  readonly promptSuggestions?: unknown;
  /** Without effect. If it is switched on, a line on `stderr` says so. */
  readonly toolConfig?: unknown;

  /** Not supported: rejected if it is switched on, for the session would be less protected without it. */
  readonly managedSettings?: unknown;
  /** Not supported: rejected if it is switched on. */
  readonly sessionStore?: unknown;
  /** Not supported: rejected if it is switched on. Use `maxBudgetUsd`. */
  readonly taskBudget?: unknown;
};
