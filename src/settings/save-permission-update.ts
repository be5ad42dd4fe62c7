import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JSONPath } from 'jsonc-parser';
import type { PermissionUpdate } from '../core/permission-types.js';
import { withEdit, type JsonEdit } from '../files/edit-json.js';
import { userFolders } from '../files/folders.js';
import { readPlantedFile } from '../files/read-planted-file.js';
import { NOT_A_FILE } from '../files/regular-file.js';
import { UsageError } from '../core/errors.js';
import { normalisePath, relativeTo } from '../permissions/paths/normalise.js';
import { formatRule, parseRule } from '../permissions/rule.js';
import { replaceOwnFile } from '../files/replace-own-file.js';
import { anchorRule } from './anchor-rule.js';
import { parseJsonAs } from './parse-json.js';
import { findFileToKeep } from './find-file-to-keep.js';
import { LAYER_OF } from './settings-files.js';
import { Settings } from './settings-schema.js';

type Place = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * Write an update of permissions to the settings file of its destination, so that it applies from now on. The rest of
 * the file does not change: comments, order, unknown keys. The file is replaced as a whole or not at all, and the new
 * text is checked to be valid settings. `/p` of a rule is relative to the folder of the session.
 *
 * @param options.isOwn write an update for this folder to the user's own file for it, not into the folder
 * @returns the file; undefined if the destination is not a file
 * @throws UsageError if the file cannot be read, is not a settings file, is outside the folder, or cannot be written
 */
export async function savePermissionUpdate(
  update: PermissionUpdate,
  place: Place,
  { isOwn = false }: { readonly isOwn?: boolean } = {},
): Promise<string | undefined> {
  const layer = LAYER_OF[update.destination];
  if (layer === undefined) return undefined;
  const file = await findFileToKeep(layer, place, { isOwn });
  const isInFolder = layer !== 'user' && !isOwn;
  if (isInFolder) await requireInside(file, place.cwd);
  const roots = isInFolder ? [await realpath(place.cwd)] : undefined;
  const mode = await modeOf(file);
  if (mode !== undefined) await requireWritable(file, mode);
  const anchored = layer === 'user' ? fromAnywhere(update, place) : update;
  await replaceOwnFile(
    file,
    async () => {
      const text = readText(file, roots);
      const settings = parseJsonAs(Settings, text, { file, whole: 'The settings' });
      const changed = editsOf(anchored, settings).reduce(withEdit, text);
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

/** In a user's settings `/p` is relative to the folder of the file: convert the rule so that it keeps its meaning. */
function fromAnywhere(update: PermissionUpdate, { cwd, env }: Place): PermissionUpdate {
  if (!('rules' in update)) return update;
  const home = normalisePath(userFolders(env).home);
  const rules = update.rules.flatMap((rule) =>
    anchorRule(formatRule(rule), [normalisePath(cwd)], home).map((text) => {
      const parsed = parseRule(text);
      return parsed.ok ? parsed.value : rule;
    }),
  );
  return { ...update, rules };
}

/** The edits of the file; none if it already has the update. */
function editsOf(update: PermissionUpdate, { permissions = {} }: Settings): readonly JsonEdit[] {
  switch (update.type) {
    case 'addRules': {
      const known = permissions[update.behavior] ?? [];
      return additions(['permissions', update.behavior], known, update.rules.map(formatRule));
    }
    case 'replaceRules': {
      const rules = [...new Set(update.rules.map(formatRule))];
      return [{ path: ['permissions', update.behavior], value: rules }];
    }
    case 'removeRules': {
      const known = permissions[update.behavior] ?? [];
      return removals(['permissions', update.behavior], known, update.rules.map(formatRule));
    }
    case 'setMode':
      return [{ path: ['permissions', 'defaultMode'], value: update.mode }];
    case 'addDirectories': {
      const known = permissions.additionalDirectories ?? [];
      return additions(['permissions', 'additionalDirectories'], known, update.directories);
    }
    case 'removeDirectories': {
      const known = permissions.additionalDirectories ?? [];
      return removals(['permissions', 'additionalDirectories'], known, update.directories);
    }
    default:
      return update satisfies never;
  }
}

function additions(
  path: JSONPath,
  known: readonly string[],
  added: readonly string[],
): readonly JsonEdit[] {
  const missing = [...new Set(added)].filter((item) => !known.includes(item));
  return missing.map((value, index) => ({ path: [...path, known.length + index], value }));
}

/** From the last item to the first, so that earlier items keep their places. */
function removals(
  path: JSONPath,
  known: readonly string[],
  removed: readonly string[],
): readonly JsonEdit[] {
  return known
    .flatMap((item, index) => (removed.includes(item) ? [index] : []))
    .toReversed()
    .map((index) => ({ path: [...path, index], value: undefined }));
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
