import { z } from 'zod';
import { Effort } from '../../core/agents/agent-definition.js';
import { CHOOSABLE_PERMISSION_MODES, type PermissionMode } from '../../core/permission-types.js';
import { ModelPrice } from '../../usage/prices.js';
import { SANDBOX_MODES, type SandboxMode } from '../../processes/sandbox/sandbox.js';
import { parseRule } from '../../permissions/rules/rule.js';
import { HooksSettings, type HookSettingsGroup } from './hooks-settings.js';
import { LspServerConfig, type LspServers } from './lsp-settings.js';
import { forManaged, type ManagedSettings } from './managed-settings.js';
import { forMemory, type MemorySettings } from './memory-settings.js';
import { forPeople, type PeopleSettings } from './people-settings.js';
import { forSkills, type SkillSettings } from './skill-settings.js';
import { forPlugins, type PluginSettings } from './plugin-settings.js';

const Rule = z.lazy(() =>
  z
    .string()
    .superRefine((text, context) => {
      const parsed = parseRule(text);
      if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message });
    })
    .describe(
      'A rule: `Tool` or `Tool(content)`, such as `Bash(npm test *)` or `Read(~/notes/**)`.',
    ),
);

const Mode = z.lazy(() =>
  z
    .enum([...CHOOSABLE_PERMISSION_MODES, 'manual'])
    .transform((mode) => (mode === 'manual' ? ('default' as const) : mode))
    .describe('Decides what happens if no rule matches. `manual` is the same as `default`.'),
);

/** The key `permissions` of settings. Unknown fields are kept, without effect. */
export type PermissionSettings = {
  /** Rules for calls that run without a permission request. */
  readonly allow?: readonly string[] | undefined;
  /** Rules for calls that need a decision in every mode. */
  readonly ask?: readonly string[] | undefined;
  /** Rules for calls that never run. */
  readonly deny?: readonly string[] | undefined;
  /** Permission mode for calls that no rule decides. */
  readonly defaultMode?: PermissionMode | undefined;
  /** Folders that belong to the workspace in addition to the working folder. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** `disable`: nobody can choose `bypassPermissions`. */
  readonly disableBypassPermissionsMode?: 'disable' | undefined;
  /** `disable`: nobody can choose `auto`. */
  readonly disableAutoMode?: 'disable' | undefined;
  readonly [field: string]: unknown;
};
export const PermissionSettings = z.lazy(() =>
  z.looseObject({
    allow: z.array(Rule).optional().describe('Allows without a permission request.'),
    ask: z.array(Rule).optional().describe('Needs a decision in every mode.'),
    deny: z.array(Rule).optional().describe('Denies; stronger than all other rules and modes.'),
    defaultMode: Mode.optional(),
    additionalDirectories: z
      .array(z.string().min(1))
      .optional()
      .describe('Further directories that belong to the workspace.'),
    disableBypassPermissionsMode: z
      .literal('disable')
      .optional()
      .describe('Removes the mode bypassPermissions.'),
    disableAutoMode: z.literal('disable').optional().describe('Removes the mode auto.'),
  }),
) satisfies z.ZodType<PermissionSettings>;

const filled = z.string().min(1);

/** The sandbox of shell commands, in the words of settings files. Unknown fields are kept, without effect. */
export type SandboxSettings = {
  /** True: commands run in a sandbox, in bubblewrap unless `mode` says otherwise. */
  readonly enabled?: boolean | undefined;
  /** Launcher of commands: `bwrap`, an `external` one, or `none` for no sandbox. */
  readonly mode?: SandboxMode | undefined;
  /** Words before the shell, at least one. Only for the mode `external`. */
  readonly command?: readonly string[] | undefined;
  /** True: commands reach the network. Anything else, also a list of domains: they do not. */
  readonly network?: boolean | Readonly<Record<string, unknown>> | undefined;
  /** Paths that are writable in addition to the workspace: absolute, below `~`, or relative to `cwd`. */
  readonly writable?: readonly string[] | undefined;
  /** Contents of Bash rules: commands that match run outside, and need a permission request unless a rule allows them. */
  readonly excludedCommands?: readonly string[] | undefined;
  /** False: no command can request to run outside. */
  readonly allowUnsandboxedCommands?: boolean | undefined;
  readonly [field: string]: unknown;
};
export const SandboxSettings = z.lazy(() =>
  z.looseObject({
    enabled: z
      .boolean()
      .optional()
      .describe('True: commands run in a sandbox, in bubblewrap unless `mode` says otherwise.'),
    mode: z
      .enum(SANDBOX_MODES)
      .optional()
      .describe('The kind of sandbox; `none` restricts nothing.'),
    command: z
      .array(filled)
      .min(1)
      .optional()
      .describe('For the mode `external`: the words of the launcher, before the shell.'),
    network: z
      .union([z.boolean(), z.looseObject({})])
      .optional()
      .describe(
        'True: commands reach the network. Any other value, also a list of domains: they do not.',
      ),
    writable: z.array(filled).optional().describe('Writable in addition to the workspace.'),
    excludedCommands: z
      .array(filled)
      .optional()
      .describe(
        'Contents of Bash rules: a command that matches runs outside, and needs a decision unless a rule allows it.',
      ),
    allowUnsandboxedCommands: z
      .boolean()
      .optional()
      .describe('False: commands cannot ask to run outside.'),
  }),
) satisfies z.ZodType<SandboxSettings>;

const forRequests = () => ({
  $schema: z.string().optional(),
  permissions: PermissionSettings.optional(),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('Environment variables of the session and of its commands.'),
  sandbox: SandboxSettings.optional().describe('Restricts shell commands, in addition to rules.'),
  model: z.string().min(1).optional().describe('Model id or alias.'),
  fallbackModel: z
    .union([filled, z.array(filled)])
    .optional()
    .describe(
      'Replaces the model while it is overloaded; several in a list, or with commas between them.',
    ),
  agent: z.string().min(1).optional().describe('The agent that runs the session.'),
  effortLevel: Effort.optional().describe(
    'How much agents think if their definition does not say.',
  ),
  apiKeyHelper: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A shell command that prints the key of model requests, if the environment has none.',
    ),
  cleanupPeriodDays: z
    .int()
    .positive()
    .optional()
    .describe(
      'Days after which the journal of a session is removed, at the start of another one. Without it, all stay.',
    ),
  modelPrices: z
    .record(z.string(), ModelPrice)
    .optional()
    .describe('Prices of models, by id, in USD per million tokens. They replace built-in prices.'),
  maxConcurrentAgents: z
    .int()
    .positive()
    .optional()
    .describe('How many agents work at the same time; the others wait.'),
  autoCompactEnabled: z
    .boolean()
    .optional()
    .describe('False: a conversation is compacted only on request.'),
});
const forExtensions = () => ({
  hooks: HooksSettings.optional().describe(
    'Commands and the like that run at events of a session, such as before each tool call, by event.',
  ),
  allowedHttpHookUrls: z
    .array(z.string())
    .optional()
    .describe(
      'Addresses of http hooks, with * for any text. A hook with another address never runs.',
    ),
  httpHookAllowedEnvVars: z
    .array(z.string())
    .optional()
    .describe('Environment variables that headers of http hooks may have.'),
  disableAllHooks: z
    .boolean()
    .optional()
    .describe('True: no hooks run, except those of managed settings.'),
  lspServers: z
    .record(z.string(), LspServerConfig)
    .optional()
    .describe('Language servers by name, for the tool LSP. They start when a tool needs them.'),
  enableAllProjectMcpServers: z
    .boolean()
    .optional()
    .describe(
      'True: starts every server of .mcp.json. Without effect in the settings of a project.',
    ),
  enabledMcpjsonServers: z
    .array(z.string())
    .optional()
    .describe('Servers of .mcp.json to start. Without effect in the settings of a project.'),
  disabledMcpjsonServers: z
    .array(z.string())
    .optional()
    .describe('Servers of .mcp.json that are never started.'),
});

/** A settings file. Unknown keys are kept unchanged and have no effect. */
export type Settings = PluginSettings &
  PeopleSettings &
  MemorySettings &
  ManagedSettings &
  SkillSettings & {
    /** Address of a JSON schema, for editors. */
    readonly $schema?: string | undefined;
    /** Rules and the permission mode. */
    readonly permissions?: PermissionSettings | undefined;
    /** Environment variables of the session and of its commands. */
    readonly env?: Readonly<Record<string, string>> | undefined;
    /** Sandbox of shell commands. */
    readonly sandbox?: SandboxSettings | undefined;
    /** ID or alias of the model. */
    readonly model?: string | undefined;
    /** Models for when `model` is overloaded: a list, or one text with commas. */
    readonly fallbackModel?: string | readonly string[] | undefined;
    /** Name of the main agent. */
    readonly agent?: string | undefined;
    /** How much agents think if their definition does not say. */
    readonly effortLevel?: Effort | undefined;
    /** Shell command that prints the key of model requests. */
    readonly apiKeyHelper?: string | undefined;
    /** Days after which the journal of a session is removed. */
    readonly cleanupPeriodDays?: number | undefined;
    /** Prices of models by ID, in US dollars per million tokens. */
    readonly modelPrices?: Readonly<Record<string, ModelPrice>> | undefined;
    /** How many agents work at the same time. */
    readonly maxConcurrentAgents?: number | undefined;
    /** False: a conversation is compacted only on request. */
    readonly autoCompactEnabled?: boolean | undefined;
    /** Hooks by event. */
    readonly hooks?: Readonly<Record<string, readonly HookSettingsGroup[]>> | undefined;
    /** Addresses of http hooks, with `*` for any text. */
    readonly allowedHttpHookUrls?: readonly string[] | undefined;
    /** Environment variables that headers of http hooks may have. */
    readonly httpHookAllowedEnvVars?: readonly string[] | undefined;
    /** True: no hooks run, except those of managed settings. */
    readonly disableAllHooks?: boolean | undefined;
    /** True, in managed settings: of all files only managed settings have hooks. */
    readonly allowManagedHooksOnly?: boolean | undefined;
    /** Language servers by name, in the words of `.lsp.json` of plugins. */
    readonly lspServers?: LspServers | undefined;
    /** True: start every server of `.mcp.json`. */
    readonly enableAllProjectMcpServers?: boolean | undefined;
    /** Servers of `.mcp.json` to start. */
    readonly enabledMcpjsonServers?: readonly string[] | undefined;
    /** Servers of `.mcp.json` that never start. */
    readonly disabledMcpjsonServers?: readonly string[] | undefined;
    readonly [key: string]: unknown;
  };
export const Settings = z.lazy(() =>
  z.looseObject({
    ...forRequests(),
    ...forExtensions(),
    ...forPlugins(),
    ...forPeople(),
    ...forMemory(),
    ...forManaged(),
    ...forSkills(),
  }),
) satisfies z.ZodType<Settings>;
