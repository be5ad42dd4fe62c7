import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { ToolUseFiles } from '../../tool-context-groups.js';
import { errnoOf, FileError, toFileError } from '../../../files/file-error.js';
import { missingFileError } from '../access/missing-file.js';
import { pinFolder } from '../../../files/pinned-folder.js';
import { resolveTarget } from '../access/resolve-path.js';

/** Data folders of version control: never searched unless the search starts inside. */
export const WITHOUT_VERSION_CONTROL = '--glob=!{.git,.svn,.hg,.jj,.sl}';

/** The start of a search: a folder, and the name of a file in it if only that file is searched. */
export type SearchStart = {
  readonly folder: string;
  readonly file: string | undefined;
  /** The folder or file without symbolic links, for which the search was allowed. */
  readonly real: string;
};

/** Rejects if the path leads elsewhere by now. */
export async function resolveSearchStart(
  context: Pick<ToolUseFiles, 'cwd' | 'approvedPaths'>,
  path: string,
): Promise<SearchStart> {
  const { cwd } = context;
  const absolute = resolve(cwd, path);
  try {
    const real = await resolveTarget(context, path, 'read');
    const stats = await stat(real);
    if (stats.isDirectory()) return { folder: absolute, file: undefined, real };
    if (stats.isFile()) return { folder: dirname(absolute), file: basename(absolute), real };
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

/** Call `search` with a path of the allowed folder, even if another folder is linked to its place meanwhile. */
export async function withSearchFolder<T>(
  { file, real }: SearchStart,
  search: (cwd: string) => Promise<T>,
): Promise<T> {
  const pinned = await pinFolder(file === undefined ? real : dirname(real), 'read');
  try {
    return await search(pinned.at('.'));
  } finally {
    await pinned.close();
  }
}
