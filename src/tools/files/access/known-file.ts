import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { FileState, FileStateCache } from '../../capabilities/file-state-cache.js';
import {
  errnoOf,
  FileError,
  folderError,
  notApprovedError,
  toFileError,
} from '../../../files/file-error.js';
import { pinFolder } from '../../../files/pinned-folder.js';

/** A larger file is read in parts, never compared or rewritten as a whole. */
export const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

/** A file at one moment. */
export type KnownFile = {
  readonly path: string;
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
  readonly state: FileState;
  /** An editor has the file: the bytes are its text, with changes that are not saved. */
  readonly isInEditor?: true;
};

/** A new content for a path. */
export type Replacement = {
  /** Without symbolic links, see `resolveTarget`. */
  readonly path: string;
  readonly bytes: Buffer;
  /** The file that the new content was made from; undefined for a new file. */
  readonly previous: KnownFile | undefined;
};

/**
 * Open a regular file for reading. Never waits for a pipe or a device, and follows no link. Undefined if there is no
 * file. Rejects with a {@link FileError} for anything else.
 * @param path without symbolic links, see `resolveTarget`.
 */
export async function openRegularFile(
  path: string,
): Promise<{ readonly handle: FileHandle; readonly stats: BigIntStats } | undefined> {
  let handle: FileHandle;
  try {
    handle = await openPinned(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (errnoOf(error) === 'ELOOP') throw notApprovedError(path, 'read');
    throw toFileError(error, path, 'read');
  }
  try {
    const stats = await handle.stat({ bigint: true });
    if (stats.isFile()) return { handle, stats };
    if (stats.isDirectory()) throw folderError(path);
    throw new FileError('not_a_file', path, `${path} is a device or a pipe, not a regular file.`);
  } catch (error) {
    await handle.close();
    throw toFileError(error, path, 'read');
  }
}

async function openPinned(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const folder = await pinFolder(dirname(path), 'read');
  try {
    const handle = await open(folder.at(basename(path)), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      folder.check();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  } finally {
    await folder.close();
  }
}

/** Read the whole file; undefined if there is none. Rejects above {@link MAX_WHOLE_BYTES}. */
export async function readWholeFile(
  path: string,
  signal: AbortSignal,
): Promise<KnownFile | undefined> {
  const opened = await openRegularFile(path);
  if (opened === undefined) return undefined;
  const { handle, stats } = opened;
  try {
    if (stats.size > BigInt(MAX_WHOLE_BYTES)) throw tooLargeError(path, stats.size);
    const bytes = await handle.readFile({ signal });
    return { path, bytes, stats, state: toFileState(stats, digestOf(bytes)) };
  } catch (error) {
    throw toFileError(error, path, 'read');
  } finally {
    await handle.close();
  }
}

/** Throw if the agent has not read the file, or if its content is not what the agent knows. */
export function requireRead(cache: FileStateCache, file: KnownFile): void {
  const known = cache.get(file.path);
  if (known === undefined) throw unreadError(file.path);
  if (known.size !== file.state.size || known.digest !== file.state.digest) {
    throw changedError(file.path);
  }
}

export function unreadError(path: string): FileError {
  return new FileError(
    'not_read',
    path,
    `${path} exists and you have not read it. Read it first, then change it.`,
  );
}

export function changedError(path: string): FileError {
  return new FileError(
    'changed',
    path,
    `${path} has changed since you read it, so nothing was written. Read it again, then change it.`,
  );
}

export function toFileState(stats: BigIntStats, digest: string): FileState {
  return { mtimeMs: Number(stats.mtimeMs), size: Number(stats.size), digest };
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function tooLargeError(path: string, size: bigint): FileError {
  const limit = `${MAX_WHOLE_BYTES / 1024 / 1024} MiB`;
  return new FileError(
    'too_large',
    path,
    `${path} has ${size} bytes; this tool takes files up to ${limit}. Use Bash.`,
  );
}
