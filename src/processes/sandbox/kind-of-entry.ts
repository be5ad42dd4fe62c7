import { lstatSync, type Stats } from 'node:fs';

type EntryKind = 'directory' | 'file' | 'link' | 'missing';

/** What stands at a path itself, links not followed. What cannot be looked at is missing: no command can either. */
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
