import { readdir, readlink, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isProtectedName } from '../../permissions/paths/protected.js';
import type { Tree } from '../../permissions/facts/resolve-target.js';

const MAX_ENTRIES = 5_000;
const UNKNOWN: Tree = { holdsProtected: true, holdsLinks: true };
const PLAIN: Tree = { holdsProtected: false, holdsLinks: false };

/** The content of a folder that is copied or moved. An unreadable or very large folder counts as holding the worst. */
export async function lookIntoTree(path: string): Promise<Tree> {
  let root: string;
  try {
    root = await realpath(path);
    if (await isLink(path)) return { holdsProtected: false, holdsLinks: true };
  } catch (error) {
    return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') ? PLAIN : UNKNOWN;
  }
  let { holdsProtected, holdsLinks } = PLAIN;
  let seen = 0;
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    try {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        if (++seen > MAX_ENTRIES) return UNKNOWN;
        const at = join(folder, entry.name);
        holdsProtected ||= isProtectedName(relative(root, at).split(sep).join('/'));
        if (entry.isDirectory()) pending.push(at);
        else if (entry.isSymbolicLink()) holdsLinks ||= !(await staysIn(root, at));
      }
    } catch (error) {
      if (!hasCode(error, 'ENOTDIR')) return UNKNOWN; // a file has nothing below it
    }
  }
  return { holdsProtected, holdsLinks };
}

async function isLink(path: string): Promise<boolean> {
  try {
    await readlink(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EINVAL')) return false;
    throw error;
  }
}

async function staysIn(root: string, link: string): Promise<boolean> {
  try {
    return `${await realpath(link)}${sep}`.startsWith(root + sep);
  } catch {
    return false; // a dangling link may lead anywhere later
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
