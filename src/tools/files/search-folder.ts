import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { errnoOf, FileError, toFileError } from './file-error.js';
import { missingFileError } from './missing-file.js';

/** Folders in which version control keeps its own data: never searched unless the search starts inside. */
export const WITHOUT_VERSION_CONTROL = '--glob=!{.git,.svn,.hg,.jj,.sl}';

/** Where a search starts: a folder, and the name of a single file in it where only that is searched. */
export type SearchStart = { readonly folder: string; readonly file: string | undefined };

export async function resolveSearchStart(cwd: string, path: string): Promise<SearchStart> {
  const absolute = resolve(cwd, path);
  try {
    const stats = await stat(absolute);
    if (stats.isDirectory()) return { folder: absolute, file: undefined };
    if (stats.isFile()) return { folder: dirname(absolute), file: basename(absolute) };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw await missingFileError(absolute, cwd);
    throw toFileError(error, absolute, 'read');
  }
  throw new FileError(
    'not_a_file',
    absolute,
    `${absolute} is a device or a pipe, which cannot be searched.`,
  );
}
