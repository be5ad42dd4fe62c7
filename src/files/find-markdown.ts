import { opendirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { isInside } from './is-inside.js';
import { LEADS_OUT } from './read-planted-file.js';

export type FoundMarkdown = {
  /** Absolute, sorted. */
  readonly paths: readonly string[];
  /** Files and folders that were left out, each with its path. */
  readonly warnings: readonly string[];
};

/** Most entries of one folder of agents or rules; the largest public collections have a tenth of it. */
const MOST_ENTRIES = 20_000;
const MOST_DEPTH = 20;

/**
 * Find the Markdown files of a folder and of the folders below. A linked folder is read once, and only if it leads to a
 * place in `roots`. Stops at 20,000 entries.
 *
 * @param roots folders, after all links, that the files must be in; anywhere if absent
 */
export function findMarkdown(folder: string, roots?: readonly string[]): FoundMarkdown {
  const paths: string[] = [];
  const warnings: string[] = [];
  const seen = new Set<string>();
  let entries = 0;

  const visit = (path: string, depth: number): void => {
    const real = realpathSync.native(path);
    if (seen.has(real)) return;
    seen.add(real);
    if (roots !== undefined && !roots.some((root) => isInside(real, root)))
      return void warnings.push(`${path}: the folder is left out: ${LEADS_OUT}.`);
    if (depth > MOST_DEPTH)
      return void warnings.push(
        `${path}: the folder is left out: it is more than ${MOST_DEPTH} deep.`,
      );
    for (const entry of entriesOf(path)) {
      if ((entries += 1) > MOST_ENTRIES) return;
      const inner = join(path, entry.name);
      if (isFolder(entry, inner)) attempt(inner, depth + 1);
      else if (entry.name.endsWith('.md')) paths.push(inner);
    }
  };

  const attempt = (path: string, depth: number): void => {
    try {
      visit(path, depth);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException; // of the file system
      if (code !== 'ENOENT') warnings.push(`${path}: the folder is left out: ${message}.`);
    }
  };

  attempt(folder, 0);
  if (entries > MOST_ENTRIES)
    warnings.push(`${folder}: only its first ${MOST_ENTRIES} entries are read.`);
  return { paths: paths.sort(), warnings };
}

function* entriesOf(path: string): Generator<Dirent> {
  const folder = opendirSync(path);
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield entry;
  } finally {
    folder.closeSync();
  }
}

function isFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // a broken link, or a link to itself
  }
}
