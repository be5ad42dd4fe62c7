import { lstatSync, type Stats } from 'node:fs';

type EntryKind = 'directory' | 'file' | 'link' | 'missing';

/**
 * Kind of the entry at a path; links are not followed. An entry that cannot be read counts as missing: commands cannot
 * read it either.
 */
export function kindOfEntry(path: string): EntryKind {
  const stats = statsOfEntry(path);
  if (stats === undefined) return 'missing';
  if (stats.isSymbolicLink()) return 'link';
  return stats.isDirectory() ? 'directory' : 'file';
}

export function statsOfEntry(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
