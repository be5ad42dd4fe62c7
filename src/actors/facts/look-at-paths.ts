import { statSync } from 'node:fs';
import { readdir, readlink, realpath, stat } from 'node:fs/promises';
import { expandGlob, type GlobEntry } from '../../permissions/paths/expand-glob.js';
import { followLinks, type LinkTarget } from '../../permissions/paths/resolve-links.js';
import type { GlobMatches } from '../../permissions/paths/expand-glob.js';
import type { Kind } from '../../permissions/resolve-target.js';

/** Where a path leads with every link followed, whether or not anything is there; undefined where that cannot be told. */
export async function resolvePath(path: string): Promise<string | undefined> {
  if (path.includes('\0')) return undefined;
  try {
    return await realpath(path); // one call for whatever exists
  } catch (error) {
    return isMissing(error) ? followReal(path) : undefined;
  }
}

async function followReal(path: string): Promise<string | undefined> {
  const steps = followLinks(path);
  let step = steps.next();
  while (step.done !== true) {
    const found = await readLinkAt(step.value);
    if (found === undefined) return undefined;
    step = steps.next(found);
  }
  return step.value;
}

/** Undefined where looking is refused. */
async function readLinkAt(path: string): Promise<LinkTarget | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    const isNoLink = ['EINVAL', 'ENOENT', 'ENOTDIR'].some((code) => hasCode(error, code));
    return isNoLink ? null : undefined;
  }
}

/** What is there; what cannot be looked at is taken for a directory, of which most is feared. */
export async function kindOf(path: string): Promise<Kind> {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'other';
  } catch (error) {
    return isMissing(error) ? 'missing' : 'directory';
  }
}

/** Where file systems usually take `.GIT` for `.git`. */
const CASE_INSENSITIVE: ReadonlySet<string> = new Set(['darwin', 'win32']);

/** Whether `A` is `a` where a folder is: by the platform, or since the folder is there under its name in the other case too. */
export function ignoresCase(folder: string): boolean {
  if (CASE_INSENSITIVE.has(process.platform)) return true;
  const end = folder.lastIndexOf('/') + 1;
  const swapped = folder.slice(0, end) + swapCase(folder.slice(end));
  if (swapped === folder) return false;
  try {
    const other = statSync(swapped, { throwIfNoEntry: false });
    const own = other && statSync(folder, { throwIfNoEntry: false });
    return own !== undefined && own.dev === other?.dev && own.ino === other.ino;
  } catch {
    return true; // nobody can tell
  }
}

function swapCase(name: string): string {
  return name.replace(/./gsu, (char) =>
    char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase(),
  );
}

/** What the wildcards of a path may stand for; undefined if that cannot be told. */
export async function matchesOf(path: string): Promise<GlobMatches | undefined> {
  const steps = expandGlob(path);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await entriesOf(step.value));
  return step.value;
}

/** Undefined where looking is refused. */
async function entriesOf(directory: string): Promise<readonly GlobEntry[] | undefined> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.map((entry) => ({
      name: entry.name,
      isLink: entry.isSymbolicLink(),
      isFolder: entry.isDirectory(),
    }));
  } catch (error) {
    return isMissing(error) ? [] : undefined;
  }
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
