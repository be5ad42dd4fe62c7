import { z } from 'zod';
import { CONTEXT_SOURCES } from '../../context/memory/load-memory.js';
import { Effort } from '../../core/agents/agent-definition.js';
import { LONGEST_TIMER_MS } from '../../core/time/duration.js';
import { describeUnknownKey, meantName } from '../../core/text/unknown-key.js';
import { isSdkServer } from '../../extensions/mcp/servers/sdk-server.js';
import {
  fieldsOfServer,
  McpFileServerConfig,
  OTHER_SERVER_TYPES,
} from '../../extensions/mcp/servers/server-config.js';
import { LspServerConfig } from '../../settings/schema/lsp-settings.js';
import { SETTING_SOURCES } from '../../settings/files/settings-files.js';
import { aFunction, filledText, strictOptions } from '../../tools/calls/check-options.js';
import { SANDBOX_MODES } from '../../processes/sandbox/sandbox.js';
import type { OrchestratorOptions } from '../../actors/options/orchestrator-options.js';

const flag = z.boolean();
const count = z.int().positive();
const texts = z.array(filledText);
/** Checked elsewhere, by the function in the comment. */
const elsewhere = z.unknown().optional();

const objectWith = (methods: readonly string[], what: string) =>
  z.custom((value) => methods.every((name) => typeof Object(value)[name] === 'function'), what);

/** A model is often confused with its name. */
const ModelClient = z.unknown().superRefine((model, context) => {
  if (model === undefined || typeof Object(model).stream === 'function') return;
  const meant =
    typeof model === 'string'
      ? `needs a client, such as createAnthropicModel(); the name of a model goes into modelName, as in { modelName: ${JSON.stringify(model)} }`
      : 'needs a client with a method stream, such as the result of createAnthropicModel() or createScriptedModel(…)';
  context.addIssue({ code: 'custom', message: meant });
});

const McpServer = z.unknown().superRefine((server, context) => {
  if (isSdkServer(server)) return;
  const type: unknown = Object(server).type;
  if (OTHER_SERVER_TYPES.some((one) => one === type))
    return context.addIssue({
      code: 'custom',
      message: `has the type ${String(type)}: give { command, args, env }, { type: "http", url, headers }, or the result of createSdkMcpServer`,
    });
  for (const issue of McpFileServerConfig.safeParse(server).error?.issues ?? [])
    context.addIssue({ ...issue });
  const known = fieldsOfServer(type);
  for (const key of Object.keys(Object(server) as object)) {
    const meant = known.includes(key) ? undefined : meantName(key, known); // the others may belong to other programs
    if (meant !== undefined)
      context.addIssue({ code: 'custom', message: describeUnknownKey(key, known) });
  }
});

/** The servers that an agent brings with it; names are checked when it starts. */
export const AgentServersSchema = z.object({
  mcpServers: z.array(z.union([z.string(), z.record(z.string(), McpServer)])),
});

const Sandbox = strictOptions({
  mode: z.enum(SANDBOX_MODES),
  command: texts.optional(),
  network: flag.optional(),
  writable: texts.optional(),
  environment: texts.optional(),
  excludedCommands: texts.optional(),
  allowUnsandboxedCommands: flag.optional(),
});

const Context = strictOptions({
  memory: z.array(z.looseObject({ path: z.string(), content: z.string() })).optional(),
  subfolders: z.array(z.enum(CONTEXT_SOURCES)).optional(),
  excludes: z.array(z.string()).optional(),
  outputStyle: z
    .object({ name: z.string(), prompt: z.string(), keepsInstructions: z.boolean() })
    .optional(),
  language: z.string().optional(),
  attribution: z.string().optional(),
  gitStatus: z.string().optional(),
  teamNotes: z.string().optional(),
  notes: z.string().optional(),
});

/** `process.env` need not be a plain object: test runners replace it. */
const Environment = z.preprocess(
  (env) => (typeof env === 'object' && env !== null ? { ...env } : env),
  z.record(
    z.string(),
    z
      .string()
      .regex(/^[^\0]*$/, 'must be a text without NUL characters')
      .optional(),
  ),
);

/** The facts of a skill that a session uses; the rest is as `loadSkills` returns it. */
const SkillOption = z.looseObject({
  type: z.literal('prompt'),
  name: filledText,
  file: filledText.optional(), // a skill of Troupe has none
});

/** A command of a program. */
export const CommandOption = z
  .looseObject({
    type: z.enum(['prompt', 'local']),
    name: z.string().regex(/^[\p{L}\p{N}_.:-]+$/u, 'must be one word without a slash'),
    description: filledText,
    aliases: z
      .array(z.string().regex(/^[\p{L}\p{N}_.:-]+$/u, 'must be one word without a slash'))
      .optional(),
    argNames: texts.optional(),
    allowedTools: texts.optional(),
    disallowedTools: texts.optional(),
    paths: texts.optional(),
    context: z.enum(['inline', 'fork']).optional(),
    effort: Effort.optional(),
    isEnabled: aFunction.optional(),
    availability: z.array(z.enum(['claude-ai', 'console'])).optional(),
    userFacingName: aFunction.optional(),
    kind: z.literal('workflow').optional(),
    progressMessage: filledText.optional(),
    immediate: flag.optional(),
    supportsNonInteractive: flag.optional(),
    disableNonInteractive: flag.optional(),
  })
  .superRefine((command, context) => {
    const maker = command.type === 'local' ? 'load' : 'getPromptForCommand';
    if (typeof command[maker] !== 'function')
      context.addIssue({ code: 'custom', message: `needs a function ${maker}` });
  });

const PluginOption = z.looseObject({ name: filledText, id: filledText, path: filledText });
const PluginFault = z.looseObject({ plugin: filledText, type: filledText, message: filledText });

const shape = {
  cwd: filledText,
  model: ModelClient,
  modelName: filledText,
  fallbackModel: z.union([filledText, texts]),
  tools: elsewhere, // checkTools
  builtInTools: elsewhere, // checkTools
  mcpServers: z.record(z.string(), McpServer),
  limitServers: aFunction,
  limitModels: elsewhere, // made by limitModels
  lspServers: z.record(z.string(), LspServerConfig),
  agents: elsewhere, // checkAgents
  skills: z.array(SkillOption),
  commands: z.array(CommandOption),
  liveFiles: objectWith(['paths', 'reload'], 'must be an object with functions paths and reload'),
  plugins: z.looseObject({ loaded: z.array(PluginOption), errors: z.array(PluginFault) }),
  context: Context,
  permissions: elsewhere, // readPermissions
  isTrusted: z.union([flag, z.literal('thisRun')]),
  persistPermissions: z.array(z.enum(SETTING_SOURCES)),
  ownFileIfUntrusted: z.boolean(),
  canUseTool: aFunction,
  onElicitation: aFunction,
  requireCanUseTool: flag,
  hooks: elsewhere, // checkHooks
  analytics: objectWith(
    ['logEvent', 'logEventAsync'],
    'must be an object with the methods logEvent and logEventAsync',
  ),
  webSearch: objectWith(['search'], 'must be an object with a method search'),
  classifier: objectWith(['classify'], 'must be an object with a method classify'),
  permissionPromptTool: z
    .string()
    .refine((name) => /^mcp__.+__./.test(name), 'must be a name such as mcp__server__tool'),
  home: filledText,
  cleanupPeriodDays: count,
  transcripts: flag,
  persists: flag,
  env: Environment,
  sandbox: Sandbox,
  maxTokens: count,
  prices: elsewhere, // checkPrices
  taskBudget: elsewhere, // checkTaskBudget
  streamIdleTimeoutMs: z.number().positive().max(LONGEST_TIMER_MS),
  streamStartTimeoutMs: z.number().positive().max(LONGEST_TIMER_MS),
  contextWindow: count,
  autoCompact: flag,
  skillListing: z
    .strictObject({ budgetFraction: z.number().positive().max(1), maxDescriptionChars: count })
    .partial(),
  dreams: flag,
  maxConcurrentAgents: elsewhere, // checkMaxConcurrentAgents
  maxDepth: z.int().nonnegative(),
  graceMs: z.number().nonnegative().max(LONGEST_TIMER_MS),
  editor: objectWith(
    ['readText', 'writeText'],
    'must be an object with the methods readText and writeText',
  ),
  fileReadingLimits: z.strictObject({ maxTokens: count, maxSizeBytes: count }).partial(),
  globLimits: z.strictObject({ maxResults: count }).partial(),
  verbose: flag,
  clock: objectWith(
    ['setTimeout', 'clearTimeout'],
    'must be an object with setTimeout and clearTimeout',
  ),
  now: aFunction,
  inspect: aFunction,
} satisfies Record<keyof OrchestratorOptions, z.ZodType>;

export const OrchestratorSchema = strictOptions(shape).partial();
