import { resolve } from 'node:path';
import type { PluginError, SessionPlugins } from '../../core/commands/plugin.js';
import { UsageError } from '../../core/errors.js';
import { describeSystemError } from '../../core/system-error.js';
import { isInside } from '../../files/is-inside.js';
import type { Environment } from '../../files/folders.js';
import { readMarketplace, type MarketplaceEntry } from './marketplace-file.js';
import { isFolder } from './plugin-folder.js';
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
  /** The setting `enabledPlugins` of all layers that apply. */
  readonly enabled: Readonly<Record<string, boolean>>;
  /** Values of the plugins' own options, by ID of the plugin. */
  readonly options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type LoadedPlugins = Pick<SessionPlugins, 'errors'> & {
  readonly loaded: readonly LoadedPlugin[];
};

/**
 * Read the plugins of a session: those of folders that are named, then those that settings enable. A plugin that cannot
 * be used is an error in the list. Of two plugins with one name the first counts.
 */
export async function loadPlugins(choices: PluginChoices): Promise<LoadedPlugins> {
  const loaded: LoadedPlugin[] = [];
  const errors: PluginError[] = [];
  const add = async (plugin: string, origin: string, find: () => FoundFolder): Promise<void> => {
    try {
      const found = find();
      if ('type' in found) return void errors.push({ plugin, ...found });
      const one = await readPlugin({ ...found, origin, env, cwd, options: options[plugin] });
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
  const find = createFinder(choices);
  for (const [id, isEnabled] of Object.entries(choices.enabled))
    if (isEnabled) await add(id, splitPluginId(id).origin, () => find(id));
  return { loaded, errors };
}

/** The folder of a plugin, or why it is not there. */
type FoundFolder =
  | { readonly folder: string; readonly entry?: MarketplaceEntry | undefined }
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
    const folder = newestFor(installed[id] ?? [], cwd)?.installPath;
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
    return { folder, entry: entriesOf(origin).find((one) => one.name === name) };
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
