import type {
  Effort,
  SandboxMode,
  SettingSource,
  SharedOptions,
  ThinkingConfig,
} from '../../api/types.js';
import type { InputFormat, OutputFormat } from './flag-table.js';

/** The origin of MCP servers. */
export type McpArguments = Pick<RunArguments, 'mcpConfigs' | 'usesOnlyGivenServers'>;

/** The sources of settings, and the folders of the workspace. */
export type SettingsArguments = {
  /** Values of `--settings`: JSON texts or paths. */
  readonly settings: readonly string[];
  /** All sources if absent. */
  readonly settingSources: readonly SettingSource[] | undefined;
  readonly addDirectories: readonly string[];
  /** `--trust`: the folder is trusted for this run. */
  readonly trustsFolder: boolean;
};

/** Permissions: settings, and the rules and the mode of the command line. */
export type RuleArguments = SettingsArguments &
  Pick<
    RunArguments,
    'permissionMode' | 'allowedTools' | 'disallowedTools' | 'skipsPermissions' | 'allowsBypass'
  >;

/** A text, or a file with the text and the flag that named the file. */
export type PromptSource =
  { readonly text: string } | { readonly file: string; readonly flag: string };

/** The choices of a run for its session beside the prompt. */
export type RunChoices = {
  readonly systemPrompt: PromptSource | undefined;
  readonly appendSystemPrompt: PromptSource | undefined;
  readonly effort: Effort | undefined;
  /** The default of the model if absent. */
  readonly thinking: ThinkingConfig | undefined;
  /** JSON text, or a path. */
  readonly outputSchema: string | undefined;
  /** Names of built-in tools; all if absent. */
  readonly tools: readonly string[] | undefined;
  readonly persists: boolean;
  readonly replaysPrompts: boolean;
  readonly asksOnStdio: boolean;
  /** The tool of an MCP server that decides on permission requests. */
  readonly promptTool: string | undefined;
  /** Requests wait for `troupe approve` and `troupe deny`. */
  readonly waitsForApproval: boolean;
};

export type RunArguments = SettingsArguments &
  RunChoices & {
    /** The prompt on the command line; stdin may add to it. */
    readonly prompt: string | undefined;
    readonly outputFormat: OutputFormat;
    readonly inputFormat: InputFormat;
    readonly model: string | undefined;
    readonly fallbackModel: string | undefined;
    /** `--sandbox`; the settings decide if absent. */
    readonly sandbox: SandboxMode | undefined;
    readonly permissionMode: string | undefined;
    readonly allowedTools: readonly string[];
    readonly disallowedTools: readonly string[];
    /** Values of `--mcp-config`: JSON texts or paths. */
    readonly mcpConfigs: readonly string[];
    readonly usesOnlyGivenServers: boolean;
    /** `--commands`: path of a module. */
    readonly commandsFile: string | undefined;
    /** Values of `--plugin-dir`. */
    readonly pluginFolders: readonly string[];
    /** JSON text. */
    readonly agents: string | undefined;
    readonly agent: string | undefined;
    /** The options of the session that a flag sets. */
    readonly session: SharedOptions;
    /** The settings decide if absent. */
    readonly maxConcurrentAgents: number | undefined;
    /** `--continue`: the newest session of the folder. */
    readonly continues: boolean;
    /** ID of the session to resume. */
    readonly resume: string | undefined;
    /** `--resume` without an ID: the person chooses the session. */
    readonly picks: boolean;
    /** `--fork-session`: resume a copy of the session. */
    readonly forks: boolean;
    /** The trigger of the Setup hooks; without one they do not run. */
    readonly setup: 'init' | 'maintenance' | undefined;
    /** `--init-only`: the run ends after the hooks of its start. */
    readonly endsAfterSetup: boolean;
    readonly verbose: boolean;
    readonly skipsPermissions: boolean;
    /** A client may switch to `bypassPermissions` later. */
    readonly allowsBypass: boolean;
    /** `anthropic-beta` values. */
    readonly betas: readonly string[];
    /** False: no skills, and a prompt that begins with a slash is a text. */
    readonly usesSkills: boolean;
    /** `safe` and `bare` load settings only, no other files of user and project; `bare` also has few tools. */
    readonly loads: 'all' | 'bare' | 'safe';
    /** Flags without effect, one line each. */
    readonly ignored: readonly string[];
  };
