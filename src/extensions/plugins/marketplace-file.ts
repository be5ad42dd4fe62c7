import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { describeRefusal, quotedField } from '../../core/text/describe-issue.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { parseJsonAs } from '../../settings/files/parse-json.js';
import { isInnerPath, isPluginName, PluginEntryFields } from './plugin-manifest.js';

const Name = z
  .string()
  .refine(isPluginName, 'must be one word of letters, digits, "-", "_" and "."');

const pinned = { ref: z.string().optional(), sha: z.string().optional() };

/** A source that git fetches, and sources that Troupe does not fetch. */
const RemoteSource = z.discriminatedUnion('source', [
  z.looseObject({ source: z.literal('github'), repo: z.string(), ...pinned }),
  z.looseObject({ source: z.literal('url'), url: z.string(), ...pinned }),
  z.looseObject({ source: z.literal('git'), url: z.string(), ...pinned }),
  z.looseObject({ source: z.literal('git-subdir'), url: z.string(), path: z.string(), ...pinned }),
  z.looseObject({ source: z.enum(['npm', 'pip', 'archive', 'command']) }),
]);
export type RemoteSource = z.infer<typeof RemoteSource>;

/** A plugin that a marketplace offers. */
export const MarketplaceEntry = PluginEntryFields.extend({
  name: Name,
  source: z.union([z.string(), RemoteSource]),
  strict: z.boolean().optional(),
});
export type MarketplaceEntry = Readonly<z.infer<typeof MarketplaceEntry>>;

/** Origins of plugins without a marketplace. */
const OWN_NAMES: readonly string[] = ['inline', 'skills-dir'];

const Marketplace = z.looseObject({
  name: Name.refine(
    (name) => !OWN_NAMES.includes(name),
    `must not be ${OWN_NAMES.map((name) => `"${name}"`).join(' or ')}, which plugins without a marketplace have`,
  ),
  metadata: z.looseObject({ pluginRoot: z.string().optional() }).optional(),
  plugins: z.array(z.looseObject({ name: z.string() })),
});

/** A list of plugins, in `.claude-plugin/marketplace.json` of a folder. */
export type Marketplace = {
  readonly name: string;
  /** Absolute path of the folder that paths of plugins are relative to. */
  readonly folder: string;
  readonly entries: readonly MarketplaceEntry[];
  /** Entries that cannot be used, by name. */
  readonly broken: ReadonlyMap<string, string>;
};

export const MARKETPLACE_FILE = '.claude-plugin/marketplace.json';

/** Read the marketplace of a folder. An invalid entry is left out. @throws UsageError */
export function readMarketplace(folder: string): Marketplace {
  const file = join(folder, MARKETPLACE_FILE);
  const read = readPlantedFile(file);
  if (read.status !== 'read') {
    const why = read.status === 'missing' ? 'it does not exist' : read.why;
    throw new UsageError(`The marketplace cannot be read: ${why}.`, { file });
  }
  const { name, metadata, plugins } = parseJsonAs(Marketplace, read.text, {
    file,
    whole: 'The marketplace',
  });
  const entries: MarketplaceEntry[] = [];
  const broken = new Map<string, string>();
  for (const plugin of plugins) {
    const { data, error } = MarketplaceEntry.safeParse(plugin);
    if (error === undefined) entries.push(withRoot(data, metadata?.pluginRoot));
    else broken.set(plugin.name, describeRefusal(error, plugin, quotedField('the entry')));
  }
  return { name, folder, entries, broken };
}

/** A bare name is below the folder of plugins. */
function withRoot(entry: MarketplaceEntry, pluginRoot: string | undefined): MarketplaceEntry {
  const { source } = entry;
  const isBare = typeof source === 'string' && !source.includes('/') && source !== '.';
  return isBare && pluginRoot !== undefined
    ? { ...entry, source: `./${join(pluginRoot, source)}` }
    : entry;
}

/** The path of a plugin in the folder of its marketplace; undefined if its source is elsewhere. @throws UsageError */
export function innerPathOf({ name, source }: MarketplaceEntry): string | undefined {
  if (typeof source !== 'string') return undefined;
  if (isInnerPath(source)) return source;
  throw new UsageError(`The plugin "${name}" is outside of its marketplace: ${source}.`);
}
