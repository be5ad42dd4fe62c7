import { lstatSync, unlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { toFileError } from '../../files/file-error.js';
import { pinFolder, type PinnedFolder } from '../../files/pinned-folder.js';
import type { FileHistory } from '../file-history.js';
import { changedError, type KnownFile } from './known-file.js';

/** Remove a file that is still the known one. Rejects with a {@link FileError} of reason `changed` if it is another. */
export async function removeFile(file: KnownFile, history: FileHistory): Promise<void> {
  const { path, bytes } = file;
  await history.keep([{ path, before: bytes, after: undefined }]);
  const folder = await pinFolder(dirname(path), 'write');
  try {
    checkUnchanged({ path, previous: file, folder });
    unlinkSync(folder.at(basename(path)));
  } catch (error) {
    throw toFileError(error, path, 'write');
  } finally {
    await folder.close();
  }
}

/** Throw if the path of a file leads to another one by now. @param previous undefined for a new file */
export function checkUnchanged({
  path,
  previous,
  folder,
}: {
  readonly path: string;
  readonly previous: KnownFile | undefined;
  readonly folder: PinnedFolder;
}): void {
  folder.check();
  if (previous === undefined) return; // the move itself checks
  const now = lstatSync(folder.at(basename(path)), { bigint: true, throwIfNoEntry: false });
  const isSame =
    now !== undefined &&
    (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every(
      (key) => now[key] === previous.stats[key],
    );
  if (!isSame) throw changedError(path);
}
