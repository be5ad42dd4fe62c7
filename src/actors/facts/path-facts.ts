import { statSync } from 'node:fs';
import { readdir, readlink, realpath, stat } from 'node:fs/promises';
import { expandGlob, type GlobEntry } from '../../permissions/paths/expand-glob.js';
import { followLinks, type LinkTarget } from '../../permissions/paths/resolve-links.js';
import type { GlobMatches } from '../../permissions/paths/expand-glob.js';
import type { Kind } from '../../permissions/facts/resolve-target.js';

/** Resolve every link of a path, whether the target exists or not; undefined if that is impossible. */
export async function resolvePath(path: string): Promise<string | undefined> {
  if (path.includes('\0')) return undefined;
  try {
    return await realpath(path); // one call for every existing path
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

/** Undefined if the link cannot be read. */
async function readLinkAt(path: string): Promise<LinkTarget | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    const isNoLink = ['EINVAL', 'ENOENT', 'ENOTDIR'].some((code) => hasCode(error, code));
    return isNoLink ? null : undefined;
  }
}

/** The kind of the file at a path; an unreadable path counts as a directory, the most dangerous kind. */
export async function kindOf(path: string): Promise<Kind> {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'other';
  } catch (error) {
    return isMissing(error) ? 'missing' : 'directory';
  }
}

/** Whether nothing exists at a path, and no link is on the way. */
export async function isEmpty(path: string): Promise<boolean> {
  const [kind, resolved] = await Promise.all([kindOf(path), resolvePath(path)]);
  return kind === 'missing' && resolved === path;
}

/** Platforms whose file systems usually take `.GIT` for `.git`. */
const CASE_INSENSITIVE: ReadonlySet<string> = new Set(['darwin', 'win32']);

/**
 * Whether the file system of a folder ignores case: by the platform, or because the folder's name is found in the other
 * case too.
 */
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
    return true; // unknown: the safe answer
  }
}

function swapCase(name: string): string {
  return name.replace(/./gsu, (char) =>
    char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase(),
  );
}

/** The files that the wildcards of a path match; undefined if they cannot be known. */
export async function matchesOf(path: string): Promise<GlobMatches | undefined> {
  const steps = expandGlob(path);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await entriesOf(step.value));
  return step.value;
}

/** Undefined if the directory cannot be read. */
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
