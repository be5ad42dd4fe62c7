import { randomUUID } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  type BigIntStats,
} from 'node:fs';
import { mkdir, open, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FileState } from '../file-state-cache.js';
import { errnoOf, FileError, toFileError } from './file-error.js';
import { nearestFolder } from './missing-file.js';
import { notApprovedError } from './resolve-path.js';
import { changedError, digestOf, toFileState, type KnownFile } from './known-file.js';

/**
 * Puts new content in place of a file, or makes a file: all of it or nothing. Mode (and owner, for root) stay.
 * `previous` is the file as it was judged; where it is something else by now, or where a new file exists by now, it
 * rejects with a {@link FileError} of reason `changed` and leaves everything as it is.
 * @param path without symbolic links, see `resolveTarget`.
 */
export async function replaceFile(
  path: string,
  bytes: Buffer,
  previous: KnownFile | undefined,
  signal: AbortSignal,
): Promise<FileState> {
  const folder = dirname(path);
  const existing = await nearestFolder(folder);
  try {
    await mkdir(folder, { recursive: true });
    const temporary = join(folder, `.${basename(path).slice(0, 100)}.${randomUUID()}.tmp`);
    try {
      const stats = await writeTemporary(temporary, bytes, previous?.stats);
      signal.throwIfAborted();
      moveIntoPlace(temporary, path, previous);
      return toFileState(stats, digestOf(bytes));
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    await removeEmptyFolders(folder, existing);
    throw toFileError(error, path, 'write');
  }
}

async function writeTemporary(
  path: string,
  bytes: Buffer,
  previous: BigIntStats | undefined,
): Promise<BigIntStats> {
  const handle = await open(path, 'wx', 0o666);
  try {
    if (previous !== undefined) {
      if (process.getuid?.() === 0) await handle.chown(Number(previous.uid), Number(previous.gid));
      await handle.chmod(Number(previous.mode & 0o7777n)); // after chown, which clears set-id bits
    }
    await handle.writeFile(bytes);
    await handle.sync();
    return await handle.stat({ bigint: true });
  } finally {
    await handle.close();
  }
}

/** Looks once more and moves without giving way in between: no other write of this process can come between. */
function moveIntoPlace(temporary: string, path: string, previous: KnownFile | undefined): void {
  if (realpathSync(dirname(path)) !== dirname(path)) throw notApprovedError(path, 'write');
  if (previous === undefined) return moveToNewPath(temporary, path);
  const now = statSync(path, { bigint: true, throwIfNoEntry: false });
  const isSame =
    now !== undefined &&
    (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every(
      (key) => now[key] === previous.stats[key],
    );
  if (!isSame) throw changedError(path);
  renameSync(temporary, path);
}

/** A link, unlike a rename, refuses a path that exists. Not every file system has links. */
function moveToNewPath(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
    unlinkSync(temporary);
    return;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw createdMeanwhile(path);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error) ?? '')) {
      throw error;
    }
  }
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw createdMeanwhile(path);
  renameSync(temporary, path);
}

function createdMeanwhile(path: string): FileError {
  return new FileError(
    'changed',
    path,
    `${path} was created by someone else meanwhile, so nothing was written. Read it first, then change it.`,
  );
}

/** Takes back the folders that were made for a file that could not be written. Stops at one that is in use. */
async function removeEmptyFolders(from: string, until: string): Promise<void> {
  for (let folder = from; folder.length > until.length; folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') return; // used by someone else by now
    }
  }
}
