import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errnoOf, FileError, toFileError } from './file-error.js';

const MAX_LINKS = 40;

/**
 * Where an access to a path really ends: every symbolic link followed, the last one too, also where the file that it
 * points to does not exist yet. This is the name under which an agent's knowledge of a file is kept.
 */
export async function resolveTarget(cwd: string, path: string): Promise<string> {
  const absolute = resolve(cwd, path);
  try {
    return await realpath(absolute);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw toFileError(error, absolute, 'read');
  }
  let current = absolute;
  for (let links = 0; links < MAX_LINKS; links++) {
    const parent = await resolveFolder(dirname(current));
    const target = await linkTarget(join(parent, basename(current)));
    if (target === undefined) return join(parent, basename(current));
    current = resolve(parent, target);
  }
  throw new FileError('refused', absolute, `${absolute}: its symbolic links form a loop.`);
}

/** The part that exists with its links followed, the rest as it is. */
async function resolveFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || path === dirname(path))
      throw toFileError(error, path, 'read');
    return join(await resolveFolder(dirname(path)), basename(path));
  }
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EINVAL' || code === 'ENOENT') return undefined; // no link, or nothing there
    throw toFileError(error, path, 'read');
  }
}
