import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { userFolders, type Environment } from '../../files/folders.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { replaceOwnFile } from '../../files/replace-own-file.js';
import { UsageError } from '../../core/errors.js';
import { parseJsonAs } from '../../settings/files/parse-json.js';
import { MarketplaceEntry } from './marketplace-file.js';
import { PLUGIN_SCOPES } from './plugin-scopes.js';

/** A plugin that was copied into the user's folder. Fields of other programs are kept. */
const Installed = z.looseObject({
  scope: z.enum([...PLUGIN_SCOPES, 'managed']).catch('user'),
  /** Folder of the project, with the scopes `project` and `local`. */
  projectPath: z.string().optional(),
  installPath: z.string(),
  version: z.string().catch('unknown'),
  installedAt: z.string().optional(),
  lastUpdated: z.string().optional(),
  gitCommitSha: z.string().optional(),
  /** The entry that it was installed with: later changes of the marketplace wait for an update. */
  entry: MarketplaceEntry.optional(),
});
export type InstalledPlugin = z.infer<typeof Installed>;

const InstalledFile = z.looseObject({
  version: z.number().optional(),
  plugins: z.record(
    z.string(),
    z.union([z.array(Installed), Installed.transform((one) => [one])]), // version 1 has one entry
  ),
});

/** The source of a marketplace. */
export const MarketplaceSource = z.discriminatedUnion('source', [
  z.looseObject({ source: z.literal('directory'), path: z.string() }),
  z.looseObject({ source: z.literal('file'), path: z.string() }),
  z.looseObject({ source: z.literal('github'), repo: z.string(), ref: z.string().optional() }),
  z.looseObject({ source: z.literal('git'), url: z.string(), ref: z.string().optional() }),
  z.looseObject({ source: z.enum(['url', 'npm', 'settings', 'hostPattern']) }),
]);
export type MarketplaceSource = z.infer<typeof MarketplaceSource>;

const KnownMarketplace = z.looseObject({
  source: MarketplaceSource,
  installLocation: z.string(),
  lastUpdated: z.string().optional(),
});
export type KnownMarketplace = z.infer<typeof KnownMarketplace>;
const KnownFile = z.record(z.string(), KnownMarketplace);

export type InstalledPlugins = Readonly<Record<string, readonly InstalledPlugin[]>>;
export type KnownMarketplaces = Readonly<Record<string, KnownMarketplace>>;

/** The folder of the user's plugins, which other agents share. */
export function pluginsFolder(env: Environment): string {
  return join(userFolders(env).claude, 'plugins');
}

/** The plugins that are installed, by ID. @throws UsageError if the file cannot be used */
export function readInstalled(env: Environment): InstalledPlugins {
  return readState(installedFile(env), InstalledFile)?.plugins ?? {};
}

/** The marketplaces that the user has added, by name. @throws UsageError if the file cannot be used */
export function readMarketplaces(env: Environment): KnownMarketplaces {
  return readState(knownFile(env), KnownFile) ?? {};
}

/** Change the list of installed plugins. One writer at a time. @throws UsageError */
export async function changeInstalled(
  env: Environment,
  change: (plugins: InstalledPlugins) => InstalledPlugins,
): Promise<void> {
  await writeState(installedFile(env), () => ({ version: 2, plugins: change(readInstalled(env)) }));
}

/** Change the list of marketplaces. One writer at a time. @throws UsageError */
export async function changeMarketplaces(
  env: Environment,
  change: (known: KnownMarketplaces) => KnownMarketplaces,
): Promise<void> {
  await writeState(knownFile(env), () => change(readMarketplaces(env)));
}

function installedFile(env: Environment): string {
  return join(pluginsFolder(env), 'installed_plugins.json');
}

function knownFile(env: Environment): string {
  return join(pluginsFolder(env), 'known_marketplaces.json');
}

function readState<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): z.output<Schema> | undefined {
  const read = readPlantedFile(file);
  if (read.status === 'missing') return undefined;
  if (read.status === 'unusable')
    throw new UsageError(`The file cannot be used: ${read.why}.`, { file });
  return parseJsonAs(schema, read.text, { file, whole: 'The file' });
}

async function writeState(file: string, make: () => object): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceOwnFile(file, async () => `${JSON.stringify(make(), null, 2)}\n`);
}
