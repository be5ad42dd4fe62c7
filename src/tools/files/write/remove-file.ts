import { unlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { toFileError } from '../../../files/file-error.js';
import { pinFolder } from '../../../files/pinned-folder.js';
import type { FileHistory } from '../../capabilities/file-history.js';
import { checkUnchanged } from './check-unchanged.js';
import type { KnownFile } from '../access/known-file.js';

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
