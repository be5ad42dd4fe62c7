import { resolve } from 'node:path';
import { agentTypes, withBuiltInAgents } from '../../context/built-in-agents.js';
import { loadContext, type SessionContext } from '../../context/context-keys.js';
import { userFolders } from '../../context/folders.js';
import type { AgentDefinition } from '../../core/agent-definition.js';
import { printableLine } from '../../core/printable.js';
import { fieldsWithoutEffect } from '../../extensions/agents/agent-spec.js';
import { loadAgents, type LoadedAgents } from '../../extensions/agents/load-agents.js';
import { collectHooks } from '../../extensions/hooks/collect-hooks.js';
import { loadProjectServers } from '../../extensions/mcp/load-project-servers.js';
import type { McpServers } from '../../extensions/mcp/server-config.js';
import { findDirectory } from '../../extensions/settings/find-directory.js';
import { findNearKeys } from '../../extensions/settings/find-near-keys.js';
import { loadLayers } from '../../extensions/settings/load-layers.js';
import { mergePrices } from '../../extensions/settings/merge-prices.js';
import { mergeSandbox } from '../../extensions/settings/merge-sandbox.js';
import type { LoadedSettings } from '../../extensions/settings/load-settings.js';
import { describeRuleProblems } from '../../extensions/settings/rule-warnings.js';
import { toPermissionContext } from '../../extensions/settings/to-permission-context.js';
import { makeHome, requireHome, requireTemporaryFolder } from '../../journal/prepare-folders.js';
import { folderToWorkIn } from '../../journal/work-folder.js';
import { createAnthropicModel } from '../../model/anthropic-model.js';
import { requireChosenModel } from '../../model/require-chosen-model.js';
import { parseRuleList } from '../../permissions/rule-list.js';
import { getAllBaseTools } from '../../tools/base-tools.js';
import { splitHooks } from '../hooks/check-hooks.js';
import { joinHooks } from '../hooks/join-hooks.js';
import type { OrchestratorOptions } from '../orchestrator-options.js';
import type { SessionStart } from '../public-types.js';
import { parseOptions, type ParsedOptions } from './parse-options.js';
import { toStart } from './to-start.js';

type Options = ParsedOptions['options'];
type Environment = Readonly<Record<string, string | undefined>>;

export type PreparedQuery = {
  readonly options: OrchestratorOptions;
  readonly start: SessionStart;
  /** What was given and has no effect. */
  readonly warnings: readonly string[];
  /** Where such lines go. */
  readonly tell: (line: string) => void;
};

/**
 * Checks everything that a query is made of, and reads what its options name: nothing of the user's or the project's
 * where `settingSources` names nobody. Naming a source is trusting it.
 *
 * @throws UsageError for whatever cannot be used
 */
export async function prepareQuery(given: unknown): Promise<PreparedQuery> {
  const { options, warnings } = parseOptions(given);
  const outer: Environment = options.env ?? process.env;
  const cwd = await findCwd(options, outer);
  const { layers, found } = await loadLayers({
    cwd,
    env: outer,
    sources: options.settingSources ?? [],
    flags: settingsOf(options),
    isTrusted: () => true,
  });
  const merged = layers.map((loaded) => loaded.settings);
  const env = Object.assign({}, outer, ...merged.map((one) => one.env ?? {})) as Environment; // strings only

  const [files, memory, directories, servers] = await Promise.all([
    loadAgentFiles(options, cwd, outer),
    loadContextFor(options, cwd, outer),
    Promise.all((options.additionalDirectories ?? []).map((one) => findDirectoryFor(one, cwd))),
    loadServers(options, { cwd, env, layers }),
  ]);
  const hooks = collectHooks(layers);
  const own = Object.entries(options.agents ?? {}).map(([name, spec]) => ({ name, ...spec }));
  const agents = [...files.agents, ...own] as readonly AgentDefinition[]; // parsed: what is not there is absent
  const { allowedTools = [], disallowedTools = [], permissionMode } = options;
  for (const [name, lists] of Object.entries({ allowedTools, disallowedTools }))
    for (const list of lists) parseRuleList(list, name); // told by the option's own name
  const permissions = toPermissionContext({
    settings: layers,
    additionalDirectories: directories,
    allowedTools,
    disallowedTools,
    ...(permissionMode === undefined ? {} : { permissionMode }),
    allowsBypass: options.allowDangerouslySkipPermissions ?? false,
    cwd,
    isRoot: process.getuid?.() === 0,
    env: outer,
    home: userFolders(env).home,
  });

  const goesOn = options.continue === true || options.resume !== undefined;
  const wantedModel = options.model ?? merged.findLast((one) => one.model !== undefined)?.model;
  const fallbackModel = merged.findLast((one) => one.fallbackModel !== undefined)?.fallbackModel;
  const modelName = wantedModel ?? (env['ANTHROPIC_MODEL'] || undefined);
  const settingsAgent = merged.findLast((one) => one.agent !== undefined)?.agent;
  const agent = options.agent ?? (goesOn ? undefined : settingsAgent); // settings are for new sessions
  const autoCompact = merged.findLast(
    (one) => one.autoCompactEnabled !== undefined,
  )?.autoCompactEnabled;
  const { sandbox: wanted = {} } = options;
  const sandbox = mergeSandbox([...merged, { sandbox: wanted }]);
  requireChosenModel(modelName, env);
  const model = createAnthropicModel({ env });
  const keeps = options.persistSession ?? true;
  const home = userFolders(env).troupe;
  requireTemporaryFolder();
  if (keeps) {
    requireHome(home);
    makeHome(home);
  }
  model.warmUp();

  const tools = Array.isArray(options.tools) ? (options.tools as readonly string[]) : undefined;
  return {
    options: {
      cwd,
      env,
      model,
      home,
      persists: keeps,
      agents,
      mcpServers: servers.servers,
      permissions,
      hooks: joinHooks(hooks.hooks, splitHooks(options.hooks, 'query: hooks').hooks),
      persistPermissions: options.settingSources ?? [],
      prices: mergePrices(merged),
      ...(sandbox === undefined ? {} : { sandbox }),
      ...(memory === undefined ? {} : { context: memory.context }),
      ...(modelName === undefined ? {} : { modelName }),
      ...(fallbackModel === undefined ? {} : { fallbackModel }),
      ...(autoCompact === undefined ? {} : { autoCompact }),
      ...(tools === undefined ? {} : { builtInTools: tools.filter(isBuiltIn) }),
      ...(options.canUseTool === undefined ? {} : { canUseTool: options.canUseTool }),
      ...(options.permissionPromptToolName === undefined
        ? {}
        : { permissionPromptTool: options.permissionPromptToolName }),
    },
    start: {
      ...toStart(options),
      ...(agent === undefined ? {} : { agent }),
      ...(goesOn && options.model !== undefined ? { modelName: options.model } : {}),
      ...(permissionMode === undefined ? {} : { permissionMode: permissions.mode }),
    },
    warnings: [
      ...warnings,
      ...own.flatMap((one) =>
        fieldsWithoutEffect(one as AgentDefinition).map(
          (field) => `agents: "${one.name}.${field}" has no effect yet.`,
        ),
      ),
      ...files.warnings,
      ...servers.warnings,
      ...(memory?.warnings ?? []),
      ...hooks.warnings,
      ...found.flatMap(findNearKeys),
      ...describeUnknownTools(tools ?? []),
      ...(await describeRuleProblems(permissions, {
        agents: agentTypes(withBuiltInAgents(agents)),
        layers,
        home: userFolders(env).home,
      })),
    ],
    tell: (line) => (options.stderr ?? writeToStderr)(`troupe: ${line}\n`),
  };
}

function writeToStderr(line: string): void {
  process.stderr.write(`${printableLine(line.trimEnd())}\n`);
}

async function findCwd({ cwd, resume }: Options, env: Environment): Promise<string> {
  if (cwd === undefined)
    return folderToWorkIn(resume, { cwd: process.cwd(), home: userFolders(env).troupe });
  return findDirectory(cwd, {
    cwd: process.cwd(),
    option: 'query: "cwd"',
    hint: 'Give a folder that is there.',
  });
}

function findDirectoryFor(directory: string, cwd: string): Promise<string> {
  const hint = 'Give folders that are there.';
  return findDirectory(directory, { cwd, option: 'query: "additionalDirectories"', hint });
}

function settingsOf({ settings }: Options): readonly string[] {
  if (settings === undefined) return [];
  return [typeof settings === 'string' ? settings : JSON.stringify(settings)];
}

async function loadAgentFiles(
  { settingSources = [], additionalDirectories = [] }: Options,
  cwd: string,
  env: Environment,
): Promise<LoadedAgents> {
  if (settingSources.length === 0) return { agents: [], warnings: [] };
  const additionalFolders = additionalDirectories.map((folder) => resolve(cwd, folder));
  return loadAgents({ cwd, env, sources: settingSources, additionalFolders });
}

/** A text of its own is all that an agent is told where nobody's files are asked for. */
async function loadContextFor(
  { settingSources = [], systemPrompt }: Options,
  cwd: string,
  env: Environment,
): Promise<{ readonly context: SessionContext; readonly warnings: readonly string[] } | undefined> {
  if (settingSources.length === 0 && typeof systemPrompt !== 'object') return undefined;
  return loadContext({ cwd, env, sources: settingSources });
}

async function loadServers(
  { mcpServers = {}, settingSources = [], strictMcpConfig = false }: Options,
  place: {
    readonly cwd: string;
    readonly env: Environment;
    readonly layers: readonly LoadedSettings[];
  },
): Promise<{ readonly servers: McpServers; readonly warnings: readonly string[] }> {
  const readsProject = !strictMcpConfig && settingSources.includes('project');
  const project = readsProject
    ? loadProjectServers({ ...place, known: Object.keys(mcpServers) })
    : { servers: {}, warnings: [] };
  const servers = { ...project.servers, ...mcpServers };
  return { servers, warnings: project.warnings };
}

function isBuiltIn(name: string): boolean {
  return builtInNames().includes(name);
}

function builtInNames(): readonly string[] {
  return getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}

function describeUnknownTools(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => !isBuiltIn(name) && !name.startsWith('mcp__'))
    .map(
      (name) =>
        `tools: there is no built-in tool "${name}". Built in: ${builtInNames().join(', ')}.`,
    );
}
