import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { isRecord } from '../../core/json/is-record.js';
import { nearestName } from '../../core/text/nearest-name.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { tryParseJson } from '../../core/json/try-parse-json.js';
import { innerPathOf, MARKETPLACE_FILE, readMarketplace } from './marketplace-file.js';
import type { PluginWorld } from './marketplaces.js';
import { isFolder } from './plugin-folder.js';
import { MANIFEST_FIELDS } from './plugin-manifest.js';
import { readPlugin } from './read-plugin.js';

/** The problems of a plugin or a marketplace. */
export type Validation = {
  /** The plugin or its parts would be left out. */
  readonly errors: readonly string[];
  /** Fields and parts without effect. */
  readonly warnings: readonly string[];
  /** Parts by kind, for people. */
  readonly counts: Readonly<Record<string, number>>;
};

/** Check the folder of a plugin, of a marketplace, or of both. @throws UsageError if it is neither */
export async function validatePlugin(folder: string, world: PluginWorld): Promise<Validation> {
  if (!isFolder(folder)) throw new UsageError(`There is no folder ${folder}.`);
  return existsSync(join(folder, MARKETPLACE_FILE))
    ? validateMarketplace(folder, world)
    : validateFolder(folder, world);
}

async function validateMarketplace(folder: string, world: PluginWorld): Promise<Validation> {
  const { entries, broken } = readMarketplace(folder);
  const errors = [...broken].map(([name, why]) => `${name}: ${why}.`);
  const warnings: string[] = [];
  const inner = entries.flatMap((entry) => {
    const path = innerPathOf(entry);
    return path === undefined ? [] : [{ entry, path: join(folder, path) }];
  });
  for (const { entry, path } of inner) {
    const found = isFolder(path)
      ? await validateFolder(path, world, entry)
      : { errors: [`its folder ${path} does not exist.`], warnings: [] };
    errors.push(...found.errors.map((line) => `${entry.name}: ${line}`));
    warnings.push(...found.warnings.map((line) => `${entry.name}: ${line}`));
  }
  return {
    errors,
    warnings,
    counts: { plugins: entries.length, 'plugins in this folder': inner.length },
  };
}

async function validateFolder(
  folder: string,
  { cwd, env }: PluginWorld,
  entry?: Parameters<typeof readPlugin>[0]['entry'],
): Promise<Validation> {
  const warnings = unknownFields(folder);
  try {
    const plugin = await readPlugin({ folder, origin: 'inline', env, cwd, entry });
    const { skills, agents, missingTools, hooks, mcpServers, lspServers, styles } = plugin;
    return {
      errors: plugin.warnings,
      warnings: [...warnings, ...plugin.notes, ...[...missingTools.values()].flat()],
      counts: {
        'skills and commands': skills.length,
        agents: agents.length,
        'files of hooks': hooks.length,
        'MCP servers': Object.keys(mcpServers).length,
        'language servers': Object.keys(lspServers).length,
        'places of output styles': styles.length,
      },
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { errors: [error.message], warnings, counts: {} };
  }
}

/** The fields of a manifest that have no meaning. */
function unknownFields(folder: string): readonly string[] {
  const file = join(folder, '.claude-plugin', 'plugin.json');
  const read = readPlantedFile(file);
  const manifest = read.status === 'read' ? tryParseJson(read.text) : undefined;
  if (!isRecord(manifest)) return [];
  return Object.keys(manifest)
    .filter((field) => !MANIFEST_FIELDS.includes(field))
    .map((field) => {
      const meant = nearestName(field, MANIFEST_FIELDS, 2);
      const hint = meant === undefined ? 'It has no effect.' : `Did you mean "${meant}"?`;
      return `${file}: there is no field "${field}". ${hint}`;
    });
}
