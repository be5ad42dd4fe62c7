import { randomUUID } from 'node:crypto';
import { linkSync, lstatSync, renameSync, unlinkSync, type BigIntStats } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import type { FileState } from '../file-state-cache.js';
import { errnoOf, FileError, toFileError } from '../../files/file-error.js';
import { nearestFolder } from './missing-file.js';
import { changedError, digestOf, toFileState, type KnownFile } from './known-file.js';
import { pinFolder, type PinnedFolder } from '../../files/pinned-folder.js';

/**
 * Replace a file, or make one: all of it or nothing. Mode (and owner, for root) stay. `previous` is the file of the
 * decision. If it is a different file by now, or if a new file exists by now, this rejects with a {@link FileError} of
 * reason `changed` and changes nothing.
 * @param path without symbolic links, see `resolveTarget`.
 */
export async function replaceFile(
  path: string,
  bytes: Buffer,
  previous: KnownFile | undefined,
  signal: AbortSignal,
): Promise<FileState> {
  const entered: Entered[] = [];
  try {
    const folder = await enterFolder(dirname(path), entered);
    const temporary = folder.at(`.${basename(path).slice(0, 100)}.${randomUUID()}.tmp`);
    try {
      const stats = await writeTemporary(temporary, bytes, previous?.stats);
      signal.throwIfAborted();
      moveIntoPlace(temporary, path, previous, folder);
      return toFileState(stats, digestOf(bytes));
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    await removeEmptyFolders(entered);
    throw toFileError(error, path, 'write');
  } finally {
    for (const { folder } of entered) await folder.close();
  }
}

/** A folder on the way to a file. The first one existed, the others may have been made. */
type Entered = { readonly folder: PinnedFolder; readonly name: string };

/** Open a folder from the nearest one that exists, and make the missing ones. @param entered grows. */
async function enterFolder(path: string, entered: Entered[]): Promise<PinnedFolder> {
  const existing = await nearestFolder(path);
  let folder = await pinFolder(existing, 'write');
  entered.push({ folder, name: '' });
  for (const name of relative(existing, path).split(sep).filter(Boolean)) {
    folder = await folder.enter(name);
    entered.push({ folder, name });
  }
  return folder;
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

/** Check once more and move synchronously: no other write of this process can come between. */
function moveIntoPlace(
  temporary: string,
  path: string,
  previous: KnownFile | undefined,
  folder: PinnedFolder,
): void {
  folder.check();
  const place = folder.at(basename(path));
  if (previous === undefined) return moveToNewPath(temporary, place, path);
  const now = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  const isSame =
    now !== undefined &&
    (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every(
      (key) => now[key] === previous.stats[key],
    );
  if (!isSame) throw changedError(path);
  renameSync(temporary, place);
}

/** A link, unlike a rename, fails for an existing path. Not every file system has links. */
function moveToNewPath(temporary: string, place: string, path: string): void {
  try {
    linkSync(temporary, place);
    unlinkSync(temporary);
    return;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw createdMeanwhile(path);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error) ?? '')) {
      throw error;
    }
  }
  if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) throw createdMeanwhile(path);
  renameSync(temporary, place);
}

function createdMeanwhile(path: string): FileError {
  return new FileError(
    'changed',
    path,
    `${path} was created by someone else meanwhile, so nothing was written. Read it first, then change it.`,
  );
}

/** Remove the folders that were made for a file that could not be written. Stops at a folder in use. */
async function removeEmptyFolders(entered: readonly Entered[]): Promise<void> {
  for (let index = entered.length - 1; index > 0; index--) {
    const above = entered[index - 1];
    try {
      await above?.folder.removeFolder(entered[index]?.name ?? '');
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') return; // in use by now
    }
  }
}
