import { z } from 'zod';
import { Effort } from '../../core/agents/agent-definition.js';
import { CHOOSABLE_PERMISSION_MODES } from '../../core/permission-types.js';
import { AgentSpec } from '../../extensions/agents/agent-spec.js';
import { isSdkServer, type McpSdkServerConfig } from '../../extensions/mcp/sdk-server.js';
import { McpServerConfig } from '../../extensions/mcp/server-config.js';
import { SandboxSettings } from '../../settings/settings-schema.js';
import { SETTING_SOURCES } from '../../settings/settings-files.js';
import type { CanUseTool } from '../../actors/options/can-use-tool.js';

const callback = <Callback>() =>
  z.custom<Callback>((value) => typeof value === 'function', 'must be a function');
const positive = z.number().positive();
const count = z.int().positive();
const name = z.string().min(1);
const names = z.array(name).readonly();
const record = z.record(z.string(), z.unknown());

const OwnServer = z.custom<McpSdkServerConfig>(isSdkServer);
const Server = z.union([McpServerConfig, OwnServer], {
  error: ({ input }) => {
    if (typeof input !== 'object' || input === null)
      return 'must be { command, args?, env? }, or what createSdkMcpServer returns';
    return 'type' in input && input.type === 'sdk'
      ? 'must be what createSdkMcpServer returns: { type: "sdk", name, instance, timeout? }'
      : undefined; // the field that is wrong says more
  },
});

const Preset = z.strictObject({ type: z.literal('preset'), preset: z.literal('claude_code') });
const Thinking = z.discriminatedUnion('type', [
  z.object({ type: z.literal('adaptive') }),
  z.object({ type: z.literal('enabled'), budgetTokens: count.optional() }),
  z.object({ type: z.literal('disabled') }),
]);

/** What changes the session, by the names of the Claude Agent SDK. */
const supported = {
  abortController: z.instanceof(AbortController),
  /** Further folders of the workspace. */
  additionalDirectories: names,
  /** The agent that plays the session's own. */
  agent: name,
  /** Agents by name. */
  agents: z.record(name, AgentSpec),
  /** `bypassPermissions` may be switched to later. */
  allowDangerouslySkipPermissions: z.boolean(),
  /** Rules: what runs without asking. */
  allowedTools: names,
  /** An addition to the system prompt. */
  appendSystemPrompt: z.string(),
  canUseTool: callback<CanUseTool>(),
  /** Goes on with the newest session of the folder. */
  continue: z.boolean(),
  cwd: name,
  /** Rules: what never runs. */
  disallowedTools: names,
  effort: Effort,
  /** In place of the process's own. */
  env: z.record(z.string(), z.string().optional()),
  fallbackModel: name,
  /** With `resume` or `continue`: goes on with a copy. */
  forkSession: z.boolean(),
  forwardSubagentText: z.boolean(),
  /** Of the events PreToolUse and PermissionRequest. */
  hooks: record,
  includePartialMessages: z.boolean(),
  maxBudgetUsd: positive,
  /** Older word for `thinking`; 0 switches it off. */
  maxThinkingTokens: z.int().nonnegative(),
  maxTurns: count,
  mcpServers: z.record(name, Server),
  model: name,
  outputFormat: z.object({ type: z.literal('json_schema'), schema: record }),
  permissionMode: z.enum([...CHOOSABLE_PERMISSION_MODES, 'manual']),
  permissionPromptToolName: name,
  /** False: the journal stands in a temporary folder and goes with the query. */
  persistSession: z.boolean(),
  /** Id of the session to go on with. */
  resume: name,
  /** What holds shell commands back, as in settings and before them. */
  sandbox: SandboxSettings,
  sessionId: name,
  /** Whose files of settings, agents and instructions are read; nobody's where absent. */
  settingSources: z.array(z.enum(SETTING_SOURCES)).readonly(),
  /** Settings, JSON text, or the path of a file. */
  settings: z.union([name, record]),
  /** Gets the lines that the command would write to stderr. */
  stderr: callback<(line: string) => void>(),
  /** No MCP servers but those of `mcpServers`. */
  strictMcpConfig: z.boolean(),
  systemPrompt: z.union([z.string(), Preset.extend({ append: z.string().optional() })], {
    error: 'must be a text, or { type: "preset", preset: "claude_code", append? }',
  }),
  thinking: Thinking,
  title: name,
  /** The built-in tools that agents have; all where absent. */
  tools: z.union([names, Preset], {
    error: 'must be a list of tool names, or { type: "preset", preset: "claude_code" }',
  }),
} as const;

/** There is no command to find or to start, and nothing hangs on these. */
const withoutEffect = {
  debug: z.unknown(),
  debugFile: z.unknown(),
  executable: z.unknown(),
  executableArgs: z.unknown(),
  includeHookEvents: z.unknown(),
  pathToClaudeCodeExecutable: z.unknown(),
  spawnClaudeCodeProcess: z.unknown(),
} as const;

/** What is not there and changes little without: told of where it is switched on. */
const toldOf = {
  agentProgressSummaries: z.unknown(),
  betas: z.unknown(),
  enableFileCheckpointing: z.unknown(),
  extraArgs: z.unknown(),
  onElicitation: z.unknown(),
  promptSuggestions: z.unknown(),
  toolConfig: z.unknown(),
} as const;

/** What is not there and would change what is safe, or what comes out: refused where it is switched on. */
const refused = {
  managedSettings: z.unknown(),
  plugins: z.unknown(),
  resumeSessionAt: z.unknown(),
  sessionStore: z.unknown(),
  skills: z.unknown(),
  taskBudget: z.unknown(),
} as const;

export const TOLD_OF: readonly string[] = Object.keys(toldOf);
export const REFUSED: readonly string[] = Object.keys(refused);

/** The options of `query`. One that is undefined counts as absent. */
export const QueryOptions = z
  .strictObject({ ...supported, ...withoutEffect, ...toldOf, ...refused })
  .partial();
export type QueryOptions = Readonly<z.input<typeof QueryOptions>>;
