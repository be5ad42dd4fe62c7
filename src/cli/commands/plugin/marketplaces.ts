import type { Folder, RunCommand } from '../../command.js';
import { UsageError } from '../../../api/errors.js';
import {
  addMarketplace,
  knownMarketplace,
  parseMarketplaceSource,
  placeOf,
  readMarketplaces,
  removeMarketplace,
} from '../../../api/extensions/plugins.js';
import { printJson, printLines, printTable, warn } from '../../output/print.js';

/**
 * `troupe plugin marketplace`: add, list, read again and remove marketplaces of plugins.
 *
 * @returns the exit code
 * @throws UsageError for a marketplace that cannot be used
 */
export const run: RunCommand = async (line, world) => {
  const [action, name] = line.words;
  switch (action) {
    case 'add':
      return add(required(name, 'add FOLDER|OWNER/NAME|URL'), world);
    case 'list':
      return list(line.given.has('--json'), world);
    case 'update':
      return update(name, world);
    case 'remove': {
      const known = required(name, 'remove NAME');
      await removeMarketplace(known, world);
      await printLines([`The marketplace ${known} is removed. Its plugins stay installed.`]);
      return 0;
    }
    default:
      throw new UsageError(
        `plugin marketplace has no "${action}", only add, list, update, remove.`,
      );
  }
};

function required(word: string | undefined, usage: string): string {
  if (word !== undefined) return word;
  throw new UsageError(`Write what it is about: troupe plugin marketplace ${usage}`);
}

async function add(text: string, world: Folder): Promise<number> {
  const { name, entries, broken } = await addMarketplace(
    parseMarketplaceSource(text, world),
    world,
  );
  warn([...broken].map(([plugin, why]) => `The plugin "${plugin}" is left out: ${why}.`));
  await printLines([
    `The marketplace ${name} has ${countOf(entries)}. To install one: troupe plugin install NAME@${name}`,
  ]);
  return 0;
}

async function list(isJson: boolean, { env }: Folder): Promise<number> {
  const known = Object.entries(readMarketplaces(env)).map(([name, one]) => ({
    name,
    source: one.source,
    path: one.installLocation,
  }));
  if (isJson) await printJson([known]);
  else if (known.length === 0) await printTable([['No marketplace is known.']]);
  else await printTable(known.map(({ name, source, path }) => [name, placeOf(source), path]));
  return 0;
}

/** All marketplaces if no name is given. One that fails does not end the others. */
async function update(name: string | undefined, world: Folder): Promise<number> {
  const names = name === undefined ? Object.keys(readMarketplaces(world.env)) : [name];
  let code = 0;
  for (const one of names)
    try {
      const { entries } = await addMarketplace(knownMarketplace(one, world.env).source, world);
      await printLines([`The marketplace ${one} has ${countOf(entries)}.`]);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      warn([error.message]);
      code = 1;
    }
  return code;
}

function countOf({ length }: readonly unknown[]): string {
  return length === 1 ? 'one plugin' : `${length} plugins`;
}
