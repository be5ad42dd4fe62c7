import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { withEdit, type JsonEdit } from '../../files/edit-json.js';
import type { Environment } from '../../files/folders.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { NOT_A_FILE } from '../../files/regular-file.js';
import { replaceOwnFile } from '../../files/replace-own-file.js';
import { relativeTo } from '../../permissions/paths/normalise.js';
import { findFileToKeep } from './find-file-to-keep.js';
import { parseJsonAs } from './parse-json.js';
import type { SettingSource } from './settings-files.js';
import { Settings } from '../schema/settings-schema.js';

/**
 * Change the settings file of a layer. The rest of the file does not change: comments, order, unknown keys. The file is
 * replaced as a whole or not at all, and the new text is checked to be valid settings.
 *
 * @param toEdits the changes, made from the present settings
 * @param options.isOwn change the user's own file for this folder, not the one in the folder
 * @returns the file
 * @throws UsageError if the file cannot be read, is not a settings file, is outside the folder, or cannot be written
 */
export async function changeSettings(
  layer: SettingSource,
  place: { readonly cwd: string; readonly env: Environment },
  toEdits: (settings: Settings) => readonly JsonEdit[],
  { isOwn = false }: { readonly isOwn?: boolean } = {},
): Promise<string> {
  const file = await findFileToKeep(layer, place, { isOwn });
  const isInFolder = layer !== 'user' && !isOwn;
  if (isInFolder) await requireInside(file, place.cwd);
  const roots = isInFolder ? [await realpath(place.cwd)] : undefined;
  const mode = await modeOf(file);
  if (mode !== undefined) await requireWritable(file, mode);
  await replaceOwnFile(
    file,
    async () => {
      const text = readText(file, roots);
      const settings = parseJsonAs(Settings, text, { file, whole: 'The settings' });
      const changed = toEdits(settings).reduce(withEdit, text);
      parseJsonAs(Settings, changed, { file, whole: 'The settings' });
      return changed;
    },
    mode,
  );
  return file;
}

/** If a folder's own file is a link, an update for this folder could apply everywhere. */
async function requireInside(file: string, cwd: string): Promise<void> {
  const [real, root] = await Promise.all([
    orMissing(realpath(dirname(file))).then((folder) => folder ?? file),
    realpath(cwd),
  ]);
  if (relativeTo(root, real) === undefined && relativeTo(cwd, real) === undefined)
    throw new UsageError(`The file cannot be written: ${real} is outside ${cwd}.`, { file });
}

/** The file is replaced, not written to, so its write permission must be checked explicitly. */
async function requireWritable(file: string, mode: number): Promise<void> {
  const isWritable = await access(file, constants.W_OK).then(
    () => (mode & 0o222) !== 0, // root can write files without write permission
    () => false,
  );
  if (!isWritable) throw new UsageError('The file cannot be written: it is read-only.', { file });
}

/** @throws UsageError if there is something else than a regular file */
async function modeOf(file: string): Promise<number | undefined> {
  const found = await orMissing(stat(file));
  if (found !== undefined && !found.isFile())
    throw new UsageError(`The file cannot be read: ${NOT_A_FILE}.`, { file });
  return found?.mode;
}

/** @throws UsageError if it is not a regular file, too large or outside `roots` */
function readText(file: string, roots: readonly string[] | undefined): string {
  const read = readPlantedFile(file, { roots });
  if (read.status === 'read') return read.text;
  if (read.status === 'missing') return '{}\n';
  throw new UsageError(`The file cannot be read: ${read.why}.`, { file });
}

async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}
