import { lstatSync } from 'node:fs';
import { basename } from 'node:path';
import type { PinnedFolder } from '../../../files/pinned-folder.js';
import { changedError, type KnownFile } from '../access/known-file.js';

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
