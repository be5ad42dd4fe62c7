import { constants, readlinkSync, realpathSync } from 'node:fs';
import { mkdir, open, rmdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, notApprovedError } from './file-error.js';

/**
 * A folder held open from the moment that its path was checked. Its names lead into this folder, even if something is
 * moved or linked to its place meanwhile. Only Linux can name files by an open folder; elsewhere the path is checked
 * again.
 */
export interface PinnedFolder {
  /** A path of a name in the folder, for the next system calls. Not for people. */
  at(name: string): string;
  /** Throws if the path leads to another folder by now. */
  check(): void;
  /** Open a subfolder, and make it if it is missing; the caller closes it. A link is refused. */
  enter(name: string): Promise<PinnedFolder>;
  /** Remove an empty subfolder. */
  removeFolder(name: string): Promise<void>;
  close(): Promise<void>;
}

type Access = 'read' | 'write';

/** Opens a folder without the permission to read it. A flag of Linux that Node does not name. */
const O_PATH = 0o10000000;

/**
 * @param path absolute, links followed: rejects with a `FileError` of reason `not_approved` if a link leads away from
 * it.
 */
export async function pinFolder(path: string, access: Access): Promise<PinnedFolder> {
  if (process.platform !== 'linux') return watchFolder(path, access);
  return pin(await openFolder(path), path, access);
}

function openFolder(path: string, flags = 0): Promise<FileHandle> {
  return open(path, O_PATH | constants.O_DIRECTORY | flags);
}

async function pin(handle: FileHandle, path: string, access: Access): Promise<PinnedFolder> {
  const self = `/proc/self/fd/${handle.fd}`;
  const at = (name: string): string => `${self}/${name}`;
  const folder: PinnedFolder = {
    at,
    check() {
      if (readlinkSync(self) !== path) throw notApprovedError(path, access);
    },
    async enter(name) {
      const inside = join(path, name);
      const isNew = await makeFolder(at(name));
      try {
        return await pin(await openFolder(at(name), constants.O_NOFOLLOW), inside, access);
      } catch (error) {
        if (isNew) await rmdir(at(name));
        throw errnoOf(error) === 'ENOTDIR' ? notApprovedError(inside, access) : error;
      }
    },
    removeFolder: (name) => rmdir(at(name)),
    close: () => handle.close(),
  };
  try {
    folder.check();
    return folder;
  } catch (error) {
    await handle.close();
    if (errnoOf(error) === 'ENOENT') return watchFolder(path, access); // no /proc here
    throw error;
  }
}

function watchFolder(path: string, access: Access): PinnedFolder {
  const at = (name: string): string => join(path, name);
  const folder: PinnedFolder = {
    at,
    check() {
      if (realpathSync(path) !== path) throw notApprovedError(path, access);
    },
    async enter(name) {
      await makeFolder(at(name));
      return watchFolder(at(name), access);
    },
    removeFolder: (name) => rmdir(at(name)),
    close: () => Promise.resolve(),
  };
  folder.check();
  return folder;
}

/** @returns whether the folder is new */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    return false;
  }
}
