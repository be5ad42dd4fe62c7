import { mkdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { isInside } from '../../files/is-inside.js';
import type { Environment } from '../../files/folders.js';
import { copyPlugin } from './copy-plugin.js';
import { fetchRepository } from './fetch-repository.js';
import { innerPathOf, type Marketplace, type MarketplaceEntry } from './marketplace-file.js';
import { githubUrl, inTemporary, replaceFolder, type PluginWorld } from './marketplaces.js';
import { isFolder } from './plugin-folder.js';
import { isInnerPath } from './plugin-manifest.js';
import { pluginsFolder } from './plugin-state.js';
import { readPlugin, type LoadedPlugin } from './read-plugin.js';

/** A plugin in the cache. */
export type CopiedPlugin = {
  readonly plugin: LoadedPlugin;
  readonly version: string;
  readonly installPath: string;
  readonly sha: string | undefined;
  readonly entry: MarketplaceEntry;
};

/** Fetch a plugin, check it, and copy it into the cache. @throws UsageError */
export async function copyEntry(
  entry: MarketplaceEntry,
  marketplace: Marketplace,
  { cwd, env }: PluginWorld,
): Promise<CopiedPlugin> {
  return inTemporary(env, async (temporary) => {
    const fetched = join(temporary, 'fetched');
    const { folder, sha, around } = await sourceOf(entry, marketplace, fetched, env);
    const copy = join(temporary, 'copy');
    await copyPlugin(folder, copy, around);
    const plugin = await readCopy({ folder: copy, origin: marketplace.name, env, cwd, entry });
    const version = plugin.version ?? sha?.slice(0, 12) ?? 'unknown';
    const safe = version.replaceAll(/[^\w.+-]/g, '-').replace(/^\.+/, '') || 'unknown';
    const cache = join(pluginsFolder(env), 'cache', marketplace.name, entry.name);
    const installPath = join(cache, safe);
    await replaceFolder(copy, installPath);
    const warnings = plugin.warnings.map((line) => line.replaceAll(copy, installPath));
    return { plugin: { ...plugin, warnings }, version, installPath, sha, entry };
  });
}

type Read = Parameters<typeof readPlugin>[0] & Pick<CopiedPlugin, 'entry'>;

/** Read the copy of a plugin, whose folder is temporary. @throws UsageError that names files as the plugin has them */
async function readCopy(copy: Read): Promise<LoadedPlugin> {
  try {
    return await readPlugin(copy);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const why = error.message.replaceAll(`${copy.folder}${sep}`, '');
    throw new UsageError(`The plugin "${copy.entry.name}" is invalid: ${why}`);
  }
}

async function sourceOf(
  entry: MarketplaceEntry,
  { folder: around }: Marketplace,
  fetched: string,
  env: Environment,
): Promise<{ readonly folder: string; readonly sha?: string; readonly around?: string }> {
  const inner = innerPathOf(entry);
  if (inner !== undefined)
    return { folder: await innerFolder(around, inner, entry.name, 'marketplace'), around };
  const { source } = entry;
  if (typeof source === 'string') throw new UsageError(`"${source}" is no source of a plugin.`);
  switch (source.source) {
    case 'github':
    case 'url':
    case 'git':
    case 'git-subdir': {
      await mkdir(fetched);
      const { ref, sha } = source;
      const url =
        source.source === 'github'
          ? githubUrl(source.repo)
          : /^[\w.-]+\/[\w.-]+$/.test(source.url)
            ? githubUrl(source.url)
            : source.url;
      const commit = await fetchRepository({ url, ref, sha }, fetched, env);
      if (source.source !== 'git-subdir') return { folder: fetched, sha: commit };
      if (!isInnerPath(source.path))
        throw new UsageError(`The plugin "${entry.name}" is outside of its repository.`);
      const folder = await innerFolder(fetched, source.path, entry.name, 'repository');
      return { folder, sha: commit, around: fetched };
    }
    default:
      throw new UsageError(
        `The plugin "${entry.name}" has a source of the kind "${source.source}", which is not supported. Download it and use --plugin-dir.`,
      );
  }
}

/** Find the folder of a plugin in the one around it, after all links. @throws UsageError if it is missing or elsewhere */
async function innerFolder(
  around: string,
  path: string,
  name: string,
  kind: 'marketplace' | 'repository',
): Promise<string> {
  const folder = join(around, path);
  if (!isFolder(folder))
    throw new UsageError(`The ${kind} of the plugin "${name}" has no folder ${path}.`);
  const [real, root] = await Promise.all([realpath(folder), realpath(around)]);
  if (isInside(real, root)) return real;
  throw new UsageError(`The plugin "${name}" is outside of its ${kind}: ${path}.`);
}
