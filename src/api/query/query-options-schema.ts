import { z } from 'zod';
import { Effort } from '../../core/agents/agent-definition.js';
import type { ProgramCommand } from '../../core/commands/command.js';
import { CHOOSABLE_PERMISSION_MODES } from '../../core/permission-types.js';
import { AgentSpec } from '../../extensions/agents/agent-spec.js';
import { isSdkServer, type McpSdkServerConfig } from '../../extensions/mcp/servers/sdk-server.js';
import { McpFileServerConfig } from '../../extensions/mcp/servers/server-config.js';
import { SandboxSettings } from '../../settings/schema/settings-schema.js';
import { SETTING_SOURCES } from '../../settings/files/settings-files.js';
import type { WebSearchProvider } from '../../tools/capabilities/web-capabilities.js';
import { shared } from '../../actors/sessions/session-schema.js';
import type { CanUseTool } from '../../actors/options/can-use-tool.js';
import type { OnElicitation } from '../../core/agents/elicitation.js';
import type { QueryOptions } from './query-options.js';

const callback = <Callback>() =>
  z.custom<Callback>((value) => typeof value === 'function', 'must be a function');
const count = z.int().positive();
const name = z.string().min(1);
const names = z.array(name).readonly();
const record = z.record(z.string(), z.unknown());

const OwnServer = z.custom<McpSdkServerConfig>(isSdkServer);
const Server = z.union([McpFileServerConfig, OwnServer], {
  error: ({ input }) => {
    if (typeof input !== 'object' || input === null)
      return 'must be { command, args?, env? }, { type: "http", url, headers? }, or the result of createSdkMcpServer';
    return 'type' in input && input.type === 'sdk'
      ? 'must be the result of createSdkMcpServer: { type: "sdk", name, instance, timeout? }'
      : undefined; // the message of the invalid field says more
  },
});

const Preset = z.strictObject({ type: z.literal('preset'), preset: z.literal('claude_code') });
const Thinking = z.discriminatedUnion('type', [
  z.object({ type: z.literal('adaptive') }),
  z.object({ type: z.literal('enabled'), budgetTokens: count.optional() }),
  z.object({ type: z.literal('disabled') }),
]);

/** Options that change the session. */
const supported = {
  ...shared,
  abortController: z.instanceof(AbortController),
  additionalDirectories: names,
  agent: name,
  agents: z.record(name, AgentSpec),
  allowDangerouslySkipPermissions: z.boolean(),
  allowedTools: names,
  appendSystemPrompt: z.string(),
  canUseTool: callback<CanUseTool>(),
  onElicitation: callback<OnElicitation>(),
  continue: z.boolean(),
  cwd: name,
  disallowedTools: names,
  effort: Effort,
  env: z.record(z.string(), z.string().optional()),
  fallbackModel: name,
  forkSession: z.boolean(),
  resumeSessionAt: name,
  hooks: record,
  maxThinkingTokens: z.int().nonnegative(),
  mcpServers: z.record(name, Server),
  model: name,
  outputFormat: z.object({ type: z.literal('json_schema'), schema: record }),
  permissionMode: z.enum([...CHOOSABLE_PERMISSION_MODES, 'manual']),
  permissionPromptToolName: name,
  persistSession: z.boolean(),
  plugins: z.array(z.strictObject({ type: z.literal('local'), path: name })).readonly(),
  resume: name,
  sandbox: SandboxSettings,
  settingSources: z.array(z.enum(SETTING_SOURCES)).readonly(),
  settings: z.union([name, record]),
  stderr: callback<(line: string) => void>(),
  strictMcpConfig: z.boolean(),
  systemPrompt: z.union([z.string(), Preset.extend({ append: z.string().optional() })], {
    error: 'must be a text, or { type: "preset", preset: "claude_code", append? }',
  }),
  thinking: Thinking,
  skills: z.union([z.literal('all'), names], {
    error: 'must be "all", or a list of names of skills',
  }),
  commands: z.custom<readonly ProgramCommand[]>(
    (given) => Array.isArray(given) && given.every((one) => Object(one) === one),
    'must be a list of commands',
  ),
  tools: z.union([names, Preset], {
    error: 'must be a list of tool names, or { type: "preset", preset: "claude_code" }',
  }),
  webSearch: z.custom<WebSearchProvider>(
    (given) => typeof Object(given).search === 'function',
    'must be an object with a method search',
  ),
} as const;

/** Accepted: no command is found or started, and nothing depends on these. */
const withoutEffect = {
  debug: z.unknown(),
  debugFile: z.unknown(),
  executable: z.unknown(),
  executableArgs: z.unknown(),
  pathToClaudeCodeExecutable: z.unknown(),
  spawnClaudeCodeProcess: z.unknown(),
} as const;

/** Not supported, and a session changes little without them: a warning if they are switched on. */
const toldOf = {
  agentProgressSummaries: z.unknown(),
  betas: z.unknown(),
  extraArgs: z.unknown(),
  promptSuggestions: z.unknown(),
  toolConfig: z.unknown(),
} as const;

/** Not supported, and a session would be less safe or have another result without them: rejected if they are switched on. */
const refused = {
  managedSettings: z.unknown(),
  sessionStore: z.unknown(),
  taskBudget: z.unknown(),
} as const;

export const TOLD_OF: readonly string[] = Object.keys(toldOf);
export const REFUSED: readonly string[] = Object.keys(refused);

/** The schema of the options of `query`. */
export const QueryOptionsSchema = z
  .strictObject({ ...supported, ...withoutEffect, ...toldOf, ...refused })
  .partial() satisfies z.ZodType<unknown, QueryOptions>;
