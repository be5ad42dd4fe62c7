import { resolve } from 'node:path';
import { agentTypes, withBuiltInAgents } from '../../context/built-in-agents.js';
import { userFolders, type Environment, type UserFolders } from '../../files/folders.js';
import type { AgentDefinition, Effort } from '../../core/agents/agent-definition.js';
import type { Skill } from '../../core/commands/command.js';
import { given } from '../../core/json/given.js';
import type { PermissionMode, ToolPermissionContext } from '../../core/permission-types.js';
import { withReadServers } from '../../extensions/agents/agent-servers.js';
import { describeUnknownTools } from '../../extensions/agents/unknown-tools.js';
import { loadAgents, type LoadedAgents } from '../../extensions/agents/load-agents.js';
import { describeMissingSkills } from '../../extensions/skills/missing-skills.js';
import { skillsBySettings, withBundledSkills } from '../../extensions/skills/skills-by-settings.js';
import { loadSkillsAndPlugins, withoutPlugins } from '../../extensions/skills/load-skills.js';
import { withReadHooks } from '../../extensions/hooks/own-hooks.js';
import type { SettingsLayers } from '../../settings/files/load-layers.js';
import { mergePrices } from '../../settings/merge/merge-prices.js';
import { mergeSandbox } from '../../settings/merge/merge-sandbox.js';
import { SETTING_SOURCES } from '../../settings/files/settings-files.js';
import type { SandboxSettings } from '../../settings/schema/settings-schema.js';
import { requireHome, requireTemporaryFolder } from '../../journal/storage/prepare-folders.js';
import type { OrchestratorOptions } from '../../actors/options/orchestrator-options.js';
import type { SessionStart } from '../../actors/contract/session-start.js';
import { checkAgent } from './check-agent.js';
import { chooseModels, type ModelChoices } from './choose-models.js';
import { describeRules, describeUnread, readHooks } from './describe-settings.js';
import { findPlugins, type PluginFolders, type PluginParts } from './find-plugins.js';
import { followSettings, type FollowedSettings } from './followed-settings.js';
import { liveFilesOf } from './live-options.js';
import { limitsOf } from './limits-of-settings.js';
import { managedLimits } from './managed-limits.js';
import { isExplicit, lastOf } from './read-layers.js';
import { loadInstructions, loadWords } from './load-instructions.js';
import { loadServers, type ServerChoices } from './load-servers.js';
import {
  loadWorkspace,
  permissionsOf,
  type RuleChoices,
  type Workspace,
  type WorkspaceOptions,
} from './workspace.js';

/** The choices of a command line or a program. Settings replace what is undefined. */
export type Choices = WorkspaceOptions &
  RuleChoices &
  PluginFolders &
  ServerChoices &
  ModelChoices<Workspace> & {
    readonly isRoot: boolean;
    readonly modeOfFile?: PermissionMode | undefined;
    /** False: no instructions are read; `style`: only the output style and its kin, for new sessions of a run. */
    readonly readsContext: boolean | 'style';
    /** False: no skills are read, and a prompt that begins with a slash is a text. */
    readonly usesSkills: boolean;
    /** Agents in addition to those of files, and stronger. */
    readonly agents: readonly AgentDefinition[];
    /** False: more agents may be added, so the session itself checks the name of its agent. */
    readonly knowsAgents: boolean;
    readonly agent: string | undefined;
    readonly effort: Effort | undefined;
    /** The followed settings of a run whose options are read again. */
    readonly followed?: FollowedSettings;
    readonly maxConcurrentAgents: number | undefined;
    /** Overrides the settings. */
    readonly sandbox: SandboxSettings | undefined;
    /** A session is resumed. Settings are for new sessions, so it keeps its agent, model and effort. */
    readonly resumes: boolean;
    readonly persists: boolean;
  };

export type Assembled = {
  readonly options: OrchestratorOptions & { readonly permissions: ToolPermissionContext };
  readonly start: Pick<SessionStart, 'agent' | 'effort' | 'modelName' | 'permissionMode'>;
  readonly definitions: readonly AgentDefinition[];
  /** Unknown tools by the name of the agent that names them: for the first use of the agent. */
  readonly missingTools: LoadedAgents['missingTools'];
  /** The settings of all layers, as written. */
  readonly found: SettingsLayers['found'];
  readonly styles: PluginParts['styles'];
  /** Settings that the run reads at each use. */
  readonly followed: FollowedSettings;
  /** Settings of the folder that wait for trust. */
  readonly waiting: SettingsLayers['waiting'];
  /** Options and settings without effect, one line each. */
  readonly warnings: readonly string[];
  /** Lines for a person at a terminal: settings that have no effect in Troupe. */
  readonly notes: readonly string[];
};

/**
 * Convert choices and settings to the options of an orchestrator and the start of a session. Reads files, and writes
 * nothing.
 *
 * @throws UsageError for an invalid choice, setting or file, with its place
 */
export async function assembleOptions(choices: Choices): Promise<Assembled> {
  const loading = discover(choices); // at the same time as the settings
  loading.catch(() => undefined); // awaited below; the settings may reject first
  const workspace = await loadWorkspace(choices);
  const { cwd, found, layers } = workspace;
  const [limits, [files, texts, ofSkills]] = await withinLimits(choices, workspace, loading);
  const plugins = await findPlugins(choices, workspace, ofSkills?.plugins);
  const skills = choices.usesSkills ? ofSkills : undefined;
  const { env } = plugins;
  const merged = layers.map(({ settings }) => settings);
  const memory = await loadWords(texts, choices, layers, plugins.styles);
  const { agents, skills: all, warnings } = readOwned({ plugins, files, choices, skills }, layers);
  const definitions = withBuiltInAgents(agents);
  const last = lastOf(merged);
  const agent = choices.agent ?? (choices.resumes ? undefined : (last('agent') ?? plugins.agent));
  if (choices.knowsAgents) checkAgent(agent, definitions, files.warnings);

  const isHeard = choices.discovers && limits?.locks.has('hooks') !== true;
  const heard = isHeard ? layers : layers.filter(isExplicit);
  const hooks = await readHooks([...plugins.hooks, ...heard]);
  const mcp = await loadServers(choices, choices.sources, workspace, plugins.mcpServers);
  const permissions = permissionsOf(choices, workspace, {
    isRoot: choices.isRoot,
    ...given({ modeOfFile: choices.modeOfFile }),
  });
  const followed = followSettings(workspace, choices.followed);
  const models = await chooseModels(choices, { last, limits, agents, all }, workspace, followed);
  const idle = await describeUnread(found);
  const { home, troupe } = requireFolders(choices, env);

  const options: Assembled['options'] = {
    cwd,
    env,
    home: troupe,
    agents,
    mcpServers: mcp.servers,
    permissions,
    isTrusted: await choices.isTrusted(),
    hooks: hooks.hooks,
    persistPermissions: choices.sources ?? SETTING_SOURCES,
    transcripts: choices.persists,
    prices: mergePrices(merged),
    lspServers: Object.assign({}, plugins.lspServers, ...merged.map((one) => one.lspServers)),
    ...given({
      ...models.chosen,
      plugins: plugins.plugins,
      limitServers: limits?.limitServers,
      skills: all && (await skillsBySettings(withBundledSkills(all, merged, env), merged)),
      context: memory?.context,
      sandbox: mergeSandbox([...merged, { sandbox: choices.sandbox }]),
      ...limitsOf(choices, last),
    }),
  };
  const start = given({ agent, ...startOf(choices, last, models.chosen.modelName, permissions) });
  const parts = [models, limits, plugins, files, skills, mcp, memory, hooks];
  const read = { options, found, start, styles: plugins.styles };
  return {
    ...read,
    options: { ...options, liveFiles: liveFilesOf(choices, read, again({ ...choices, followed })) },
    followed,
    definitions,
    missingTools: new Map([...files.missingTools, ...plugins.missingTools]),
    waiting: workspace.waiting,
    notes: [...idle.others, ...(skills?.notes ?? []), ...plugins.notes],
    warnings: [
      ...(await Promise.all(choices.agents.map(describeUnknownTools))).flat(),
      ...parts.flatMap((one) => one?.warnings ?? []),
      ...warnings,
      ...idle.near,
      ...idle.restricting,
      ...(all === undefined ? [] : describeMissingSkills(agents, all)),
      ...(await describeRules(permissions, {
        ...(choices.knowsAgents && {
          agents: agentTypes(definitions),
          ...given({ servers: mcp.names }),
        }),
        layers,
        home,
      })),
    ],
  };
}

/** @returns a function that reads the options again, for sessions that run */
function again(choices: Choices): Parameters<typeof liveFilesOf>[2] {
  return (earlier) =>
    assembleOptions({
      ...choices,
      earlier,
      permissionMode: undefined,
      allowsBypass: false,
      readsContext: choices.readsContext !== false && 'style',
      knowsAgents: false,
      agent: undefined,
      chooseModel: async () => ({ model: undefined, modelName: undefined }),
    });
}

/** @throws UsageError if a folder that the session writes to cannot be used */
function requireFolders({ persists }: Choices, env: Environment): UserFolders {
  const folders = userFolders(env);
  requireTemporaryFolder();
  if (persists) requireHome(folders.troupe);
  return folders;
}

/** Read the hooks of agents and skills, within the limits of the settings. */
function readOwned(
  {
    plugins,
    files,
    choices,
    skills,
  }: {
    readonly plugins: {
      readonly agents: readonly AgentDefinition[];
      readonly skills: readonly Skill[];
      readonly env: Workspace['env'];
    };
    readonly files: Pick<LoadedAgents, 'agents'>;
    readonly choices: Pick<Choices, 'agents'>;
    readonly skills: Parameters<typeof withoutPlugins>[0] | undefined;
  },
  layers: Workspace['layers'],
) {
  const found = [...plugins.agents, ...files.agents, ...choices.agents];
  const written = skills && [...plugins.skills, ...withoutPlugins(skills)];
  const placeOf = ({ name }: AgentDefinition): string => `the agent "${name}"`;
  const agents = withReadHooks(found, placeOf, layers);
  const served = withReadServers(agents.owners, placeOf, plugins.env);
  const read = withReadHooks(written ?? [], ({ file, name }) => file ?? name, layers, true);
  return {
    agents: served.agents,
    skills: written && read.owners,
    warnings: [...agents.warnings, ...served.warnings, ...read.warnings],
  };
}

/** Load the agents and the instructions of files. */
function discover(choices: Choices) {
  const { cwd, env, isTrusted, additionalDirectories } = choices;
  const place = { cwd, env, ...given({ sources: choices.discovers ? choices.sources : [] }) };
  const additionalFolders = additionalDirectories.map((folder) => resolve(cwd, folder));
  return Promise.all([
    loadAgents({ ...place, additionalFolders, isTrusted }),
    choices.readsContext === true ? loadInstructions(choices) : undefined,
    choices.usesSkills || choices.discovers
      ? loadSkillsAndPlugins({ ...place, additionalFolders, isTrusted })
      : undefined, // plugins may have hooks, which no flag about skills leaves out
  ]);
}

/** Read the limits of the settings, and keep to them. @throws UsageError for parts that nobody may give */
async function withinLimits(
  choices: Choices,
  workspace: Workspace,
  loading: ReturnType<typeof discover>,
) {
  const limits = await managedLimits(workspace);
  if (choices.earlier === undefined) limits?.refuseGiven(choices);
  const found = limits?.rediscover(loading, (closed) => discover({ ...choices, ...closed }));
  return [limits, await (found ?? loading)] as const;
}

function startOf(
  choices: Choices,
  last: ReturnType<typeof lastOf>,
  modelName: string | undefined,
  { mode }: ToolPermissionContext,
) {
  return {
    effort: choices.effort ?? (choices.resumes ? undefined : last('effortLevel')),
    modelName: choices.resumes && choices.model !== undefined ? modelName : undefined,
    permissionMode: choices.permissionMode === undefined ? undefined : mode,
  };
}
