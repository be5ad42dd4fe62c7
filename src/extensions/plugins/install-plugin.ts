import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import { nearestName } from '../../core/text/nearest-name.js';
import type { Environment } from '../../files/folders.js';
import { isInside } from '../../files/is-inside.js';
import { changeSettings } from '../../settings/files/change-settings.js';
import { checkMarketplaceAllowed } from './allowed-marketplaces.js';
import { copyEntry, type CopiedPlugin } from './copy-entry.js';
import { SKILLS_ORIGIN, splitPluginId } from './load-plugins.js';
import { readMarketplace, type Marketplace, type MarketplaceEntry } from './marketplace-file.js';
import { addMarketplace, knownMarketplace, type PluginWorld } from './marketplaces.js';
import {
  changeInstalled,
  MarketplaceSource,
  pluginsFolder,
  readInstalled,
  readMarketplaces,
  type InstalledPlugin,
} from './plugin-state.js';
import type { PluginScope } from './plugin-scopes.js';
import type { LoadedPlugin } from './read-plugin.js';

export type InstallOptions = {
  readonly scope: PluginScope;
  /** The setting `extraKnownMarketplaces`: the marketplace of the plugin is added if it is one of these. */
  readonly extra?: Readonly<Record<string, unknown>>;
};

export type InstallResult = {
  readonly id: string;
  readonly version: string;
  /** The version before; undefined for a new plugin. */
  readonly before: string | undefined;
  readonly plugin: LoadedPlugin;
};

/**
 * Copy a plugin of a marketplace into the user's folder, and enable it in the settings of the scope.
 *
 * @param name `NAME@MARKETPLACE`, or `NAME` if one marketplace has it
 * @throws UsageError if the plugin or its marketplace cannot be used
 */
export async function installPlugin(
  name: string,
  { scope, extra = {} }: InstallOptions,
  world: PluginWorld,
): Promise<InstallResult> {
  const { marketplace, entry } = await findEntry(name, extra, world);
  const { source } = knownMarketplace(marketplace.name, world.env);
  await checkMarketplaceAllowed(source, world);
  const id = `${entry.name}@${marketplace.name}`;
  const installed = await copyEntry(entry, marketplace, world);
  const before = await keepInstalled(id, installed, scope, world);
  await enablePlugin(id, true, scope, world);
  return { id, version: installed.version, before, plugin: installed.plugin };
}

/** Enable or disable a plugin in the settings of a scope. @returns the file */
export async function enablePlugin(
  id: string,
  isEnabled: boolean | undefined,
  scope: PluginScope,
  world: PluginWorld,
): Promise<string> {
  return changeSettings(scope, world, () => [{ path: ['enabledPlugins', id], value: isEnabled }]);
}

/** Find a plugin that settings can enable: an installed one, or `NAME@skills-dir`. @throws UsageError */
export function findToEnable(name: string, env: Environment): { readonly id: string } {
  return splitPluginId(name).origin === SKILLS_ORIGIN ? { id: name } : findInstalled(name, env);
}

/** Find an installed plugin by its name or ID. @throws UsageError */
export function findInstalled(
  name: string,
  env: Environment,
): { readonly id: string; readonly entries: readonly InstalledPlugin[] } {
  const all = readInstalled(env);
  const ids = Object.keys(all).filter((id) => id === name || splitPluginId(id).name === name);
  const [id, other] = ids;
  if (other !== undefined)
    throw new UsageError(
      `There are several plugins "${name}": ${ids.join(', ')}. Name one of them.`,
    );
  if (id !== undefined) return { id, entries: all[id] ?? [] };
  const near = nearestName(
    name,
    Object.keys(all).flatMap((one) => [one, splitPluginId(one).name]),
  );
  const hint = near === undefined ? 'To list them: troupe plugin list' : `Did you mean ${near}?`;
  throw new UsageError(`The plugin "${name}" is not installed. ${hint}`);
}

/**
 * Remove a plugin from a scope. With the last one go its copies, and its own files unless they are kept.
 *
 * @throws UsageError if it is not installed there
 */
export async function removePlugin(
  name: string,
  { scope, keepsData }: { readonly scope: PluginScope; readonly keepsData: boolean },
  world: PluginWorld,
): Promise<string> {
  const { env } = world;
  const { id, entries } = findInstalled(name, env);
  requireScope(id, entries, scope, world);
  const left = entries.filter((one) => !isOfScope(one, scope, world));
  await changeInstalled(env, ({ [id]: _old, ...others }) =>
    left.length === 0 ? others : { ...others, [id]: left },
  );
  await enablePlugin(id, undefined, scope, world);
  if (left.length > 0) return id;
  const folder = pluginsFolder(env);
  const { name: own, origin } = splitPluginId(id);
  await rm(join(folder, 'cache', origin, own), { recursive: true, force: true });
  if (!keepsData)
    await rm(join(folder, 'data', id.replaceAll(/[^\w-]/g, '-')), { recursive: true, force: true });
  return id;
}

/** The installation of a plugin for a scope. @throws UsageError if there is none */
function requireScope(
  id: string,
  entries: readonly InstalledPlugin[],
  scope: PluginScope,
  world: PluginWorld,
): InstalledPlugin {
  const present = entries.find((one) => isOfScope(one, scope, world));
  if (present !== undefined) return present;
  throw new UsageError(
    `The plugin "${id}" is not installed for the scope ${scope}, only for ${entries.map((one) => one.scope).join(', ')}. Give --scope.`,
  );
}

function isOfScope(
  { scope, projectPath }: InstalledPlugin,
  wanted: PluginScope,
  { cwd }: PluginWorld,
): boolean {
  return scope === wanted && (wanted === 'user' || projectPath === cwd);
}

/** Fetch the marketplace of a plugin again, and install its present version. @throws UsageError */
export async function updatePlugin(
  name: string,
  scope: PluginScope,
  world: PluginWorld,
): Promise<InstallResult> {
  const { id, entries } = findInstalled(name, world.env);
  const present = requireScope(id, entries, scope, world);
  const { name: own, origin } = splitPluginId(id);
  const { source } = knownMarketplace(origin, world.env);
  const marketplace = await addMarketplace(source, world);
  const installed = await copyEntry(entryOf(marketplace, own), marketplace, world);
  await keepInstalled(id, installed, scope, world);
  return { id, version: installed.version, before: present.version, plugin: installed.plugin };
}

async function findEntry(
  name: string,
  extra: Readonly<Record<string, unknown>>,
  world: PluginWorld,
): Promise<{ readonly marketplace: Marketplace; readonly entry: MarketplaceEntry }> {
  const { env } = world;
  const { name: own, origin } = splitPluginId(name);
  if (origin !== '') {
    const marketplace = await openMarketplace(origin, extra, world);
    return { marketplace, entry: entryOf(marketplace, own) };
  }
  const found = Object.entries(readMarketplaces(env)).flatMap(([, { installLocation }]) => {
    const marketplace = readMarketplace(installLocation);
    const entry = marketplace.entries.find((one) => one.name === own);
    return entry === undefined ? [] : [{ marketplace, entry }];
  });
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const names = found.map(({ marketplace }) => `${own}@${marketplace.name}`);
  throw new UsageError(
    first === undefined
      ? `No marketplace has a plugin "${own}". To list marketplaces: troupe plugin marketplace list`
      : `Several marketplaces have a plugin "${own}": ${names.join(', ')}. Name one of them.`,
  );
}

/** A marketplace that the user has added, or one of the settings, which is added now. */
async function openMarketplace(
  name: string,
  extra: Readonly<Record<string, unknown>>,
  world: PluginWorld,
): Promise<Marketplace> {
  const offered = extra[name];
  if (readMarketplaces(world.env)[name] === undefined && offered !== undefined) {
    const { source } = Object(offered) as { readonly source?: unknown }; // parsed below
    const { data, error } = MarketplaceSource.safeParse(source);
    if (error !== undefined)
      throw new UsageError(
        `extraKnownMarketplaces: the source of "${name}" is invalid: ${withFullStop(describeRefusal(error, source, quotedField('the source')))}`,
      );
    const added = await addMarketplace(data, world);
    if (added.name === name) return added;
    throw new UsageError(
      `extraKnownMarketplaces: the marketplace "${name}" has the name "${added.name}" itself. Use this name.`,
    );
  }
  return readMarketplace(knownMarketplace(name, world.env).installLocation);
}

function entryOf({ name, entries, broken }: Marketplace, own: string): MarketplaceEntry {
  const found = entries.find((one) => one.name === own);
  if (found !== undefined) return found;
  const why = broken.get(own);
  if (why !== undefined)
    throw new UsageError(`The plugin "${own}" of "${name}" is invalid: ${why}.`);
  const near = nearestName(
    own,
    entries.map((one) => one.name),
  );
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(`The marketplace "${name}" has no plugin "${own}".${hint}`);
}

/** Write a plugin into the list. @returns the version before */
async function keepInstalled(
  id: string,
  { version, installPath, sha, entry }: CopiedPlugin,
  scope: PluginScope,
  world: PluginWorld,
): Promise<string | undefined> {
  const now = new Date().toISOString();
  let before: string | undefined;
  await changeInstalled(world.env, (all) => {
    const entries = all[id] ?? [];
    const old = entries.find((one) => isOfScope(one, scope, world));
    before = old?.version;
    const own: InstalledPlugin = {
      ...old,
      scope,
      installPath,
      version,
      installedAt: old?.installedAt ?? now,
      lastUpdated: now,
      entry,
      ...(scope === 'user' ? {} : { projectPath: world.cwd }),
      ...(sha === undefined ? {} : { gitCommitSha: sha }),
    };
    return { ...all, [id]: [...entries.filter((one) => one !== old), own] };
  });
  await removeOldVersions(dirname(installPath), id, world.env);
  return before;
}

/** Remove the copies of a plugin that no entry of the list names any more. */
async function removeOldVersions(cache: string, id: string, env: Environment): Promise<void> {
  const used = (readInstalled(env)[id] ?? []).map(({ installPath }) => installPath);
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    if (!used.includes(path) && isInside(path, join(pluginsFolder(env), 'cache')))
      await rm(path, { recursive: true, force: true });
  }
}
