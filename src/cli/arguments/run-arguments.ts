import type { Effort, SandboxMode, SettingSource, ThinkingConfig } from '../../api/types.js';
import type { InputFormat, OutputFormat } from './flag-table.js';

/** Where MCP servers come from. */
export type McpArguments = Pick<RunArguments, 'mcpConfigs' | 'usesOnlyGivenServers'>;

/** Where settings come from, and what belongs to the workspace. */
export type SettingsArguments = {
  /** Values of `--settings`: JSON texts or paths. */
  readonly settings: readonly string[];
  /** All where absent. */
  readonly settingSources: readonly SettingSource[] | undefined;
  readonly addDirectories: readonly string[];
  /** `--trust`: for this run. */
  readonly trustsFolder: boolean;
};

/** What is allowed: settings, and what the command line adds to them. */
export type RuleArguments = SettingsArguments &
  Pick<
    RunArguments,
    'permissionMode' | 'allowedTools' | 'disallowedTools' | 'skipsPermissions' | 'allowsBypass'
  >;

/** A text, or the file that has it, with the flag that named the file. */
export type PromptSource =
  { readonly text: string } | { readonly file: string; readonly flag: string };

/** What a run says of its session beside the prompt. */
export type RunChoices = {
  readonly systemPrompt: PromptSource | undefined;
  readonly appendSystemPrompt: PromptSource | undefined;
  readonly effort: Effort | undefined;
  /** The model's own default if absent. */
  readonly thinking: ThinkingConfig | undefined;
  /** JSON text, or a path. */
  readonly outputSchema: string | undefined;
  /** Names of the built-in tools to have; all where absent. */
  readonly tools: readonly string[] | undefined;
  readonly title: string | undefined;
  readonly persists: boolean;
  readonly includesPartial: boolean;
  readonly replaysPrompts: boolean;
  readonly asksOnStdio: boolean;
  /** A tool of an MCP server that asks go to. */
  readonly promptTool: string | undefined;
};

export type RunArguments = SettingsArguments &
  RunChoices & {
    /** What stands on the command line; more may come on stdin. */
    readonly prompt: string | undefined;
    readonly outputFormat: OutputFormat;
    readonly inputFormat: InputFormat;
    readonly model: string | undefined;
    readonly fallbackModel: string | undefined;
    /** `--sandbox`; what settings say where absent. */
    readonly sandbox: SandboxMode | undefined;
    readonly permissionMode: string | undefined;
    readonly allowedTools: readonly string[];
    readonly disallowedTools: readonly string[];
    /** Values of `--mcp-config`: JSON texts or paths. */
    readonly mcpConfigs: readonly string[];
    readonly usesOnlyGivenServers: boolean;
    /** JSON text. */
    readonly agents: string | undefined;
    readonly agent: string | undefined;
    readonly maxTurns: number | undefined;
    /** What settings say where absent. */
    readonly maxConcurrentAgents: number | undefined;
    readonly maxBudgetUsd: number | undefined;
    readonly sessionId: string | undefined;
    /** `--continue`: the newest session of the folder. */
    readonly continues: boolean;
    /** Id of the session to go on with. */
    readonly resume: string | undefined;
    /** `--fork-session`: a copy of it. */
    readonly forks: boolean;
    readonly verbose: boolean;
    readonly skipsPermissions: boolean;
    /** `bypassPermissions` may be switched to later. */
    readonly allowsBypass: boolean;
    /** `anthropic-beta` values. */
    readonly betas: readonly string[];
    /** What user and project have beside settings is not loaded; `bare`: and there are few tools. */
    readonly loads: 'all' | 'bare' | 'safe';
    /** Flags that are accepted and change nothing, in words. */
    readonly ignored: readonly string[];
  };
