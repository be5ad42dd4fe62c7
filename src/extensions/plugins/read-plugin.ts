import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Skill } from '../../core/commands/command.js';
import type { Plugin } from '../../core/commands/plugin.js';
import { UsageError } from '../../core/errors.js';
import { nameSome } from '../../core/text/name-some.js';
import { userFolders, type Environment } from '../../files/folders.js';
import type { LspServers } from '../../settings/schema/lsp-settings.js';
import type { LoadedSettings } from '../../settings/files/load-settings.js';
import { parseJsonAs } from '../../settings/files/parse-json.js';
import type { McpServers } from '../mcp/servers/server-config.js';
import { readPluginAgent } from './plugin-agent.js';
import { readPluginAgents, type PluginAgents } from './plugin-agents.js';
import { existingPaths, isFolder, readInner, type PluginFolder } from './plugin-folder.js';
import { OPTION, readPluginHooks } from './plugin-hooks.js';
import { IDLE_FIELDS, isPluginName, PART_FIELDS, PluginManifest } from './plugin-manifest.js';
import { readPluginLanguageServers, readPluginServers } from './plugin-servers.js';
import { readPluginSkills } from './plugin-skills.js';
import type { MarketplaceEntry } from './marketplace-file.js';

/** A plugin with its parts. */
export type LoadedPlugin = Plugin &
  PluginAgents & {
    readonly version: string | undefined;
    readonly description: string | undefined;
    readonly skills: readonly Skill[];
    /** Hooks, as layers of settings. */
    readonly hooks: readonly LoadedSettings[];
    readonly mcpServers: McpServers;
    readonly lspServers: LspServers;
    /** Name of the main agent that the plugin sets. */
    readonly agent: string | undefined;
    /** Files and folders with output styles, absolute. */
    readonly styles: readonly string[];
    /** Folder with programs for commands, absolute. */
    readonly programs: string | undefined;
    /** Parts that are left out, each with its file. */
    readonly warnings: readonly string[];
    /** Parts and settings that have no effect in Troupe. */
    readonly notes: readonly string[];
  };

export type ReadPluginOptions = {
  /** Absolute path. */
  readonly folder: string;
  /** The origin of the plugin: the part of its ID behind the `@`. */
  readonly origin: string;
  readonly env: Environment;
  /** Folder of the project, absolute. */
  readonly cwd: string;
  /** The entry of the plugin in its marketplace. */
  readonly entry?: MarketplaceEntry | undefined;
  /** Values of the plugin's own options. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
};

const MANIFEST = '.claude-plugin/plugin.json';

/** Read a plugin from its folder. @throws UsageError if it cannot be used at all */
export async function readPlugin(given: ReadPluginOptions): Promise<LoadedPlugin> {
  const { folder, origin, env, cwd, entry } = given;
  const path = realpathSync.native(folder);
  const roots = [path];
  const warnings: string[] = [];
  const manifest = withEntry(readManifest(path), entry, path);
  const name = entry?.name ?? manifest?.name ?? basename(path);
  if (!isPluginName(name))
    throw new UsageError(
      `"${name}" cannot be the name of a plugin: a name is one word of letters, digits, "-", "_" and ".".`,
      { file: path },
    );
  const id = `${name}@${origin}`;
  const plugin: Plugin = { name, id, path, dataFolder: dataFolderOf(id, env) };
  const inner: PluginFolder = {
    plugin,
    roots,
    variables: {
      CLAUDE_PLUGIN_ROOT: path,
      CLAUDE_PLUGIN_DATA: plugin.dataFolder,
      CLAUDE_PROJECT_DIR: cwd,
      ...optionsOf({ ...defaultsOf(manifest), ...given.options }),
    },
    warn: (line) => void warnings.push(line),
  };
  const parts = manifest ?? {};
  const programs = join(path, 'bin');
  const skills = await readPluginSkills(inner, parts, choosesSkills(entry));
  const { agents, missingTools } = await readPluginAgents(inner, parts);
  const { agent, notes } = readPluginAgent(inner, parts, agents);
  return {
    ...plugin,
    version: parts.version,
    description: parts.description,
    skills,
    agents,
    missingTools,
    agent,
    hooks: readPluginHooks(inner, parts),
    mcpServers: readPluginServers(inner, parts, env),
    lspServers: readPluginLanguageServers(inner, parts),
    styles: existingPaths(
      inner,
      parts.outputStyles ?? (isFolder(join(path, STYLES)) ? [STYLES] : []),
    ),
    programs: isFolder(programs) ? programs : undefined,
    warnings,
    notes: [...describeIdleParts(id, inner, parts), ...notes],
  };
}

const STYLES = 'output-styles';

/** @throws UsageError */
function readManifest(path: string): PluginManifest | undefined {
  const file = join(path, MANIFEST);
  const plugin = { name: '', id: '', path, dataFolder: '' };
  const text = readInner({ plugin, roots: [path], variables: {}, warn: () => {} }, MANIFEST);
  if (text === undefined) return undefined;
  return parseJsonAs(PluginManifest, text, { file, whole: 'The manifest' });
}

/**
 * The entry of a marketplace adds to the manifest and to its lists of parts; with `strict: false` it is the manifest.
 *
 * @throws UsageError
 */
function withEntry(
  manifest: PluginManifest | undefined,
  entry: MarketplaceEntry | undefined,
  path: string,
): Partial<PluginManifest> | undefined {
  if (entry === undefined) return manifest;
  if (entry.strict !== false) return { ...entry, ...manifest, ...joinParts(manifest, entry) };
  const both = PART_FIELDS.find((field) => manifest?.[field] !== undefined);
  if (both === undefined) return { ...manifest, ...entry };
  throw new UsageError(
    `The marketplace defines the parts of this plugin ("strict": false), and its manifest has "${both}" too. Remove one of them.`,
    { file: join(path, MANIFEST) },
  );
}

/** The lists of parts that both have, joined. */
function joinParts(
  manifest: PluginManifest | undefined,
  entry: MarketplaceEntry,
): Partial<PluginManifest> {
  const joined = PART_FIELDS.flatMap((field) => {
    const [own, added] = [manifest?.[field], entry[field]];
    return Array.isArray(own) && Array.isArray(added) ? [[field, [...own, ...added]]] : [];
  });
  return Object.fromEntries(joined) as Partial<PluginManifest>; // lists of the same field
}

/** Whether a plugin is the folder of its marketplace, with skills of other plugins, and its entry chooses its own. */
function choosesSkills({ source, skills }: Partial<MarketplaceEntry> = {}): boolean {
  return skills !== undefined && typeof source === 'string' && join(source, '.') === '.';
}

/** The folder that `\${CLAUDE_PLUGIN_DATA}` means, as published. */
function dataFolderOf(id: string, env: Environment): string {
  return join(userFolders(env).claude, 'plugins', 'data', id.replaceAll(/[^\w-]/g, '-'));
}

function defaultsOf({ userConfig = {} }: Partial<PluginManifest> = {}) {
  return Object.fromEntries(
    Object.entries(userConfig).flatMap(([name, one]) =>
      one.default === undefined ? [] : [[name, one.default] as const],
    ),
  );
}

function optionsOf(options: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [`${OPTION}${name}`, String(value)]),
  );
}

const IDLE_FOLDERS = ['workflows', 'themes', 'monitors'];

/** Describe the parts that Troupe does not have. */
function describeIdleParts(
  id: string,
  folder: PluginFolder,
  manifest: Partial<PluginManifest>,
): readonly string[] {
  const fields = IDLE_FIELDS.filter(
    (field) => manifest[field as keyof PluginManifest] !== undefined,
  );
  const folders = IDLE_FOLDERS.filter((name) => isFolder(join(folder.plugin.path, name)));
  const names = [...new Set([...fields, ...folders])];
  if (names.length === 0) return [];
  return [`The plugin ${id}: no effect in Troupe: ${nameSome(names, 8)}.`];
}
