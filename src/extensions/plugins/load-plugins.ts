import { basename, resolve } from 'node:path';
import type { PluginError, SessionPlugins } from '../../core/commands/plugin.js';
import { UsageError } from '../../core/errors.js';
import { describeSystemError } from '../../core/system-error.js';
import { isInside } from '../../files/is-inside.js';
import { realOf, realRoots, type Environment } from '../../files/folders.js';
import { LEADS_OUT } from '../../files/read-planted-file.js';
import type { SkillPlugin } from '../skills/load-skills.js';
import { checkMarketplaceAllowed } from './allowed-marketplaces.js';
import { readMarketplace, type MarketplaceEntry } from './marketplace-file.js';
import { isFolder } from './plugin-folder.js';
import { isPluginName } from './plugin-manifest.js';
import {
  readInstalled,
  readMarketplaces,
  type InstalledPlugin,
  type InstalledPlugins,
  type KnownMarketplaces,
} from './plugin-state.js';
import { readPlugin, type LoadedPlugin } from './read-plugin.js';

export type PluginChoices = {
  /** Folder of the project, absolute. */
  readonly cwd: string;
  readonly env: Environment;
  /** Folders that a flag or a program names; relative ones are in `cwd`. */
  readonly folders: readonly string[];
  /** Plugins in folders of skills. */
  readonly skillPlugins?: readonly SkillPlugin[];
  /** Whether the folder is trusted; called only if it matters. Trusted if absent. */
  readonly isTrusted?: () => boolean | Promise<boolean>;
  /** Whether an MCP server of a plugin of the project may start, by its name; true if absent. */
  readonly isApproved?: (server: string) => boolean;
  /** The setting `enabledPlugins` of all layers that apply. */
  readonly enabled: Readonly<Record<string, boolean>>;
  /** Values of the plugins' own options, by ID of the plugin. */
  readonly options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type LoadedPlugins = Pick<SessionPlugins, 'errors'> & {
  readonly loaded: readonly LoadedPlugin[];
};

/**
 * Read the plugins of a session: those of folders that are named, those in folders of skills, and those that settings
 * enable. A plugin that cannot be used is an error in the list. Of two plugins with one name the first counts.
 */
export async function loadPlugins(choices: PluginChoices): Promise<LoadedPlugins> {
  const loaded: LoadedPlugin[] = [];
  const errors: PluginError[] = [];
  const add = async (plugin: string, origin: string, find: () => FoundFolder): Promise<void> => {
    try {
      const found = find();
      if ('type' in found) return void errors.push({ plugin, ...found });
      const read = await readPlugin({ ...found, origin, env, cwd, options: options[plugin] });
      const one = 'isPlanted' in found && found.isPlanted ? withApproved(read, choices) : read;
      if (origin === SKILLS_ORIGIN && choices.enabled[one.id] === false) return;
      const other = loaded.find(({ name }) => name === one.name);
      if (other === undefined) loaded.push(one);
      else if (other.path !== one.path)
        errors.push({
          plugin,
          type: 'duplicate',
          message: `The plugin "${one.name}" of ${other.path} is used instead.`,
        });
    } catch (error) {
      errors.push({ plugin, ...problemOf(error) });
    }
  };
  const { cwd, env, options = {} } = choices;
  for (const named of choices.folders) {
    const folder = resolve(cwd, named);
    await add(folder, 'inline', () =>
      isFolder(folder)
        ? { folder }
        : { type: 'not-found', message: `There is no folder ${folder}.` },
    );
  }
  for (const one of choices.skillPlugins ?? []) {
    const id = `${basename(one.folder)}@${SKILLS_ORIGIN}`;
    const refusal = await refusalOf(one, choices);
    if (choices.enabled[id] !== false) await add(id, SKILLS_ORIGIN, () => refusal ?? one);
  }
  const find = createFinder(choices);
  for (const [id, isEnabled] of Object.entries(choices.enabled)) {
    const { origin } = splitPluginId(id);
    if (!isEnabled || [...loaded, ...errors].some((one) => idOf(one) === id)) continue;
    await add(id, origin, () => (origin === SKILLS_ORIGIN ? NOT_IN_SKILLS : find(id)));
  }
  return { loaded, errors };
}

/** The part behind the `@` in the IDs of plugins in folders of skills. */
export const SKILLS_ORIGIN = 'skills-dir';

const NOT_IN_SKILLS = {
  type: 'not-found',
  message: 'It is enabled, and no folder of skills has a plugin of this name.',
} as const;

function idOf(one: LoadedPlugin | PluginError): string {
  return 'plugin' in one ? one.plugin : one.id;
}

/** Leave out the MCP servers that the user has not approved. */
function withApproved(
  plugin: LoadedPlugin,
  { isApproved = () => true }: PluginChoices,
): LoadedPlugin {
  const names = Object.keys(plugin.mcpServers);
  const waiting = names.filter((name) => !isApproved(name));
  if (waiting.length === 0) return plugin;
  const approved = Object.entries(plugin.mcpServers).filter(([name]) => !waiting.includes(name));
  const warning = `These MCP servers need your approval: ${waiting.join(', ')}. To start them, name them in "enabledMcpjsonServers" of your user settings.`;
  return {
    ...plugin,
    mcpServers: Object.fromEntries(approved),
    warnings: [...plugin.warnings, warning],
  };
}

type Refusal = Pick<PluginError, 'type' | 'message'>;

/** Why managed settings forbid the plugins in the user's folder of skills. */
async function whyForbidden(cwd: string, env: Environment): Promise<Refusal | undefined> {
  try {
    await checkMarketplaceAllowed({ source: SKILLS_ORIGIN }, { cwd, env });
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** Why a plugin in a folder of skills does not load; undefined if it does. */
async function refusalOf(
  { folder, isPlanted, isHere }: SkillPlugin,
  { cwd, env, isTrusted = () => true }: PluginChoices,
): Promise<Refusal | undefined> {
  if (!isHere)
    return {
      type: 'not-found',
      message: `Sessions load plugins of skills from the folder that they start in, which is ${cwd}. To load it: --plugin-dir ${folder}`,
    };
  if (!isPlanted) return whyForbidden(cwd, env);
  if (!(await isTrusted()))
    return {
      type: 'not-trusted',
      message: `This folder is not trusted, so ${folder} waits. To load it: troupe trust, or --trust for one run.`,
    };
  const roots = realRoots(cwd);
  if (roots.some((root) => isInside(realOf(folder), root))) return undefined;
  return { type: 'invalid', message: `${folder}: ${LEADS_OUT}.` };
}

/** The folder of a plugin, or why it is not there. */
type FoundFolder =
  | { readonly folder: string; readonly entry?: MarketplaceEntry | undefined }
  | SkillPlugin
  | Pick<PluginError, 'type' | 'message'>;

/** Split `NAME@MARKETPLACE`. */
export function splitPluginId(id: string): { readonly name: string; readonly origin: string } {
  const at = id.lastIndexOf('@');
  return at < 1 ? { name: id, origin: '' } : { name: id.slice(0, at), origin: id.slice(at + 1) };
}

function problemOf(error: unknown): Pick<PluginError, 'type' | 'message'> {
  if (error instanceof UsageError) return { type: 'invalid', message: error.message };
  return { type: 'invalid', message: `It cannot be read: ${describeSystemError(error)}.` };
}

/** @returns a function that finds the folder of a plugin, and its entry; each file is read once */
function createFinder({ cwd, env }: PluginChoices) {
  let installed: InstalledPlugins | undefined;
  let known: KnownMarketplaces | undefined;
  const entries = new Map<string, readonly MarketplaceEntry[]>();
  const entriesOf = (marketplace: string): readonly MarketplaceEntry[] => {
    const read = entries.get(marketplace);
    if (read !== undefined) return read;
    const place = known?.[marketplace]?.installLocation;
    const found = place === undefined ? [] : entriesIn(place);
    entries.set(marketplace, found);
    return found;
  };
  return (id: string): FoundFolder => {
    installed ??= readInstalled(env);
    known ??= readMarketplaces(env);
    const { name, origin } = splitPluginId(id);
    const found = newestFor(installed[id] ?? [], cwd);
    const folder = found?.installPath;
    if (folder === undefined)
      return {
        type: 'not-installed',
        message: `It is enabled and not installed. To install it: troupe plugin install ${id}`,
      };
    if (!isFolder(folder))
      return {
        type: 'not-found',
        message: `Its folder ${folder} does not exist. To install it again: troupe plugin install ${id}`,
      };
    const entry = found?.entry ?? entriesOf(origin).find((one) => one.name === name);
    return { folder, entry: entry ?? (isPluginName(name) ? { name, source: folder } : undefined) };
  };
}

/** A marketplace that cannot be read adds nothing to its plugins, which have their own manifests. */
function entriesIn(folder: string): readonly MarketplaceEntry[] {
  try {
    return readMarketplace(folder).entries;
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** The plugin that was installed for this folder; then that of the user; then any. */
export function newestFor(
  installed: readonly InstalledPlugin[],
  cwd: string,
): InstalledPlugin | undefined {
  const isHere = ({ projectPath }: InstalledPlugin): boolean =>
    projectPath !== undefined && isInside(cwd, projectPath);
  return (
    installed.findLast(isHere) ??
    installed.findLast(({ projectPath }) => projectPath === undefined) ??
    installed.at(-1)
  );
}
