import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { nearestName } from '../../core/text/nearest-name.js';
import type { Environment } from '../../files/folders.js';
import { isInside } from '../../files/is-inside.js';
import { checkMarketplaceAllowed } from './allowed-marketplaces.js';
import { fetchRepository } from './fetch-repository.js';
import { MARKETPLACE_FILE, readMarketplace, type Marketplace } from './marketplace-file.js';
import {
  changeMarketplaces,
  pluginsFolder,
  readMarketplaces,
  type KnownMarketplace,
  type MarketplaceSource,
} from './plugin-state.js';

/** The surroundings of a change of plugins. */
export type PluginWorld = { readonly cwd: string; readonly env: Environment };

/**
 * Read what a person writes for a marketplace: a folder, `owner/name` on GitHub, or the address of a repository. `#REF`
 * behind it is a branch or tag.
 *
 * @throws UsageError
 */
export function parseMarketplaceSource(text: string, { cwd, env }: PluginWorld): MarketplaceSource {
  if (/^\.{0,2}\/|^~\/|^\.{1,2}$/.test(text)) {
    const path = resolve(cwd, text.replace(/^~(?=\/)/, env['HOME'] ?? homedir()));
    return {
      source: 'directory',
      path: path.endsWith(`/${MARKETPLACE_FILE}`) ? dirname(dirname(path)) : path,
    };
  }
  const [, place = '', ref] = /^([^#]+)(?:#(.+))?$/.exec(text) ?? [];
  const pinned = ref === undefined ? {} : { ref };
  if (/^[\w.-]+\/[\w.-]+$/.test(place)) return { source: 'github', repo: place, ...pinned };
  if (/^(?:https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:/.test(place)) {
    if (place.endsWith('.json'))
      throw new UsageError(
        `${place} is a file. Name the repository or the folder of the marketplace.`,
      );
    return { source: 'git', url: place, ...pinned };
  }
  throw new UsageError(
    `"${text}" is no marketplace. Write a folder (./shop), a repository on GitHub (owner/name) or the address of one.`,
  );
}

/** Add a marketplace, or read it again. @returns the marketplace @throws UsageError */
export async function addMarketplace(
  source: MarketplaceSource,
  { cwd, env }: PluginWorld,
): Promise<Marketplace> {
  await checkMarketplaceAllowed(source, { cwd, env });
  return withCopy(source, env, async (folder, isCopy) => {
    const found = readMarketplace(folder);
    const known = readMarketplaces(env)[found.name];
    if (known !== undefined && placeOf(known.source) !== placeOf(source))
      throw new UsageError(
        `There is a marketplace "${found.name}" already, from ${placeOf(known.source)}. To replace it: troupe plugin marketplace remove ${found.name}`,
      );
    const installLocation = isCopy ? await keep(folder, found.name, env) : folder;
    const lastUpdated = new Date().toISOString();
    await changeMarketplaces(env, (all) => ({
      ...all,
      [found.name]: { ...known, source, installLocation, lastUpdated },
    }));
    return { ...found, folder: installLocation };
  });
}

/** Move a copy to its place, and remove the one before. */
async function keep(folder: string, name: string, env: Environment): Promise<string> {
  const place = join(pluginsFolder(env), 'marketplaces', name);
  await replaceFolder(folder, place);
  return place;
}

/** Put a folder in the place of another one. */
export async function replaceFolder(folder: string, place: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  const old = await mkdtemp(join(dirname(place), `.${basename(place)}-old-`));
  await rename(place, join(old, 'x')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(folder, place);
  await rm(old, { recursive: true, force: true });
}

/** Forget a marketplace, and remove its copy. Its plugins stay installed. @throws UsageError for an unknown one */
export async function removeMarketplace(name: string, { env }: PluginWorld): Promise<void> {
  const { installLocation } = knownMarketplace(name, env);
  await changeMarketplaces(env, ({ [name]: _removed, ...others }) => others);
  if (isInside(installLocation, join(pluginsFolder(env), 'marketplaces')))
    await rm(installLocation, { recursive: true, force: true });
}

/** @throws UsageError */
export function knownMarketplace(name: string, env: Environment): KnownMarketplace {
  const known = readMarketplaces(env);
  const found = known[name];
  if (found !== undefined) return found;
  const near = nearestName(name, Object.keys(known));
  const hint =
    near === undefined
      ? 'To add it: troupe plugin marketplace add FOLDER|OWNER/NAME|URL'
      : `Did you mean ${near}?`;
  throw new UsageError(`There is no marketplace "${name}". ${hint}`);
}

/** The origin of a marketplace, for people. */
export function placeOf(source: MarketplaceSource): string {
  const ref = 'ref' in source && source.ref !== undefined ? `#${String(source.ref)}` : '';
  const { path, repo, url } = source as { path?: string; repo?: string; url?: string }; // each kind has one of them
  return `${path ?? repo ?? url ?? source.source}${ref}`;
}

/** Run with the folder of a source: in place, or a temporary copy of a repository. @throws UsageError */
async function withCopy<T>(
  source: MarketplaceSource,
  env: Environment,
  use: (folder: string, isCopy: boolean) => Promise<T>,
): Promise<T> {
  switch (source.source) {
    case 'directory':
      return use(source.path, false);
    case 'file':
      return use(dirname(dirname(source.path)), false);
    case 'github':
    case 'git': {
      const { ref } = source;
      const url = source.source === 'github' ? githubUrl(source.repo) : source.url;
      return inTemporary(env, async (folder) => {
        await fetchRepository({ url, ref }, folder, env);
        return use(folder, true);
      });
    }
    default:
      throw new UsageError(
        `Marketplaces of the kind "${source.source}" are not supported. Add the folder or the repository.`,
      );
  }
}

export function githubUrl(repo: string): string {
  return `https://github.com/${repo}.git`;
}

/** Run with a new folder beside the copies, which is removed unless it was moved. */
export async function inTemporary<T>(
  env: Environment,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const plugins = pluginsFolder(env);
  await mkdir(plugins, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(plugins, '.new-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
