import { delimiter } from 'node:path';
import type { PluginStyles } from '../../context/output-style.js';
import type { SessionPlugins } from '../../core/commands/plugin.js';
import type { Environment } from '../../files/folders.js';
import { approvedBy } from '../../extensions/mcp/servers/load-project-servers.js';
import type { SkillPlugin } from '../../extensions/skills/load-skills.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { LspServers } from '../../settings/schema/lsp-settings.js';
import type { LoadedPlugin } from '../../extensions/plugins/read-plugin.js';
import type { LoadedPlugins } from '../../extensions/plugins/load-plugins.js';
import { mergeSettings } from '../../settings/merge/merge-settings.js';
import type { Workspace } from './workspace.js';

export type PluginFolders = {
  /** Folders of plugins that a flag or a program names; relative ones are in `cwd`. */
  readonly pluginFolders: readonly string[];
  /** False: the plugins that settings enable are left out. */
  readonly discovers: boolean;
  /** Whether the folder is trusted; called only if it matters. */
  readonly isTrusted: () => boolean | Promise<boolean>;
};

/** The parts of all plugins of a workspace. */
export type PluginParts = Pick<
  LoadedPlugin,
  'agents' | 'hooks' | 'lspServers' | 'mcpServers' | 'missingTools' | 'skills'
> & {
  readonly styles: readonly PluginStyles[];
  /** The main agent that a plugin sets; undefined if no plugin does. */
  readonly agent: string | undefined;
  /** The environment of the workspace, with the programs of plugins behind all others. */
  readonly env: Environment;
  /** Undefined without plugins. */
  readonly plugins: SessionPlugins | undefined;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
};

const NOTHING = {
  agents: [],
  missingTools: new Map(),
  skills: [],
  hooks: [],
  mcpServers: {},
  lspServers: {},
  styles: [],
  agent: undefined,
  plugins: undefined,
  warnings: [],
  notes: [],
} as const;

/**
 * Read the plugins of a workspace. Without plugins nothing is read and no code is loaded.
 *
 * @param skillPlugins plugins in folders of skills
 */
export async function findPlugins(
  { pluginFolders, discovers, isTrusted }: PluginFolders,
  { layers, cwd, env }: Pick<Workspace, 'layers' | 'cwd' | 'env'>,
  skillPlugins: readonly SkillPlugin[] = [],
): Promise<PluginParts> {
  const asks = discovers && layers.some(({ settings }) => settings.enabledPlugins !== undefined);
  const { enabledPlugins = {} } = asks ? mergeSettings(layers.map(({ settings }) => settings)) : {};
  const hasFolders = pluginFolders.length + skillPlugins.length > 0;
  if (!hasFolders && !Object.values(enabledPlugins).includes(true)) return { ...NOTHING, env };
  const { loadPlugins } = await import('../../extensions/plugins/load-plugins.js');
  const plugins = await loadPlugins({
    cwd,
    env,
    folders: pluginFolders,
    skillPlugins,
    isTrusted,
    isApproved: approvedBy(layers),
    enabled: enabledPlugins,
    options: optionsOf(layers),
  });
  return joinPlugins(plugins, env);
}

/** The options of plugins by ID. A project has none: they go into commands. */
function optionsOf(layers: Workspace['layers']) {
  const own = layers.filter(
    ({ source }) => source !== 'projectSettings' && source !== 'localSettings',
  );
  const { pluginConfigs = {} } = mergeSettings(own.map(({ settings }) => settings));
  return Object.fromEntries(
    Object.entries(pluginConfigs).map(([id, { options = {} }]) => [id, options]),
  );
}

function joinPlugins(plugins: LoadedPlugins, env: Environment): PluginParts {
  const { loaded, errors } = plugins;
  const programs = loaded.flatMap((one) => one.programs ?? []);
  return {
    agents: loaded.flatMap(({ agents }) => agents),
    missingTools: new Map(loaded.flatMap(({ missingTools }) => [...missingTools])),
    skills: loaded.flatMap(({ skills }) => skills),
    hooks: loaded.flatMap(({ hooks }) => hooks),
    mcpServers: Object.assign({}, ...loaded.map((one) => one.mcpServers)) as McpServers, // each is such a record
    lspServers: Object.assign({}, ...loaded.map((one) => one.lspServers)) as LspServers, // as above
    agent: loaded.find(({ agent }) => agent !== undefined)?.agent,
    styles: loaded.map(({ name, path, styles }) => ({ name, path, styles })),
    env:
      programs.length === 0
        ? env
        : { ...env, PATH: [env['PATH'], ...programs].filter(Boolean).join(delimiter) },
    plugins,
    warnings: [
      ...errors.map(({ plugin, message }) => `The plugin ${plugin} is left out: ${message}`),
      ...loaded.flatMap(({ id, warnings }) => warnings.map((line) => `The plugin ${id}: ${line}`)),
    ],
    notes: loaded.flatMap(({ notes }) => notes),
  };
}
