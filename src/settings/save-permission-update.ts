import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { applyEdits, modify, type JSONPath } from 'jsonc-parser';
import type { PermissionUpdate } from '../core/permission-types.js';
import { userFolders } from '../files/folders.js';
import { NOT_A_FILE, readPlantedFile } from '../files/read-planted-file.js';
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
 * Writes an update of permissions to the settings file of its destination, so that it holds from now on. Whatever else
 * stands in the file stays as it is: comments, order, keys that are not known. The file is replaced whole or not at all,
 * and what is written is settings that can be read again. `/p` of a rule is meant from the folder of the session.
 *
 * @param options.isOwn write what is for this folder to the user's own file for it, not into the folder
 * @returns the file; undefined where the destination is none that lasts
 * @throws UsageError where the file cannot be read, is no settings file, lies outside the folder, or cannot be written
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

/** A folder's own file that is a link could make what is meant for this folder count everywhere. */
async function requireInside(file: string, cwd: string): Promise<void> {
  const [real, root] = await Promise.all([
    orMissing(realpath(dirname(file))).then((folder) => folder ?? file),
    realpath(cwd),
  ]);
  if (relativeTo(root, real) === undefined && relativeTo(cwd, real) === undefined)
    throw new UsageError(`The file cannot be written: ${real} is outside ${cwd}.`, { file });
}

/** It is replaced by a file of its name: that it may not be written has to be looked at. */
async function requireWritable(file: string, mode: number): Promise<void> {
  const isWritable = await access(file, constants.W_OK).then(
    () => (mode & 0o222) !== 0, // root may write what nobody may
    () => false,
  );
  if (!isWritable) throw new UsageError('The file cannot be written: it is read-only.', { file });
}

/** In a user's settings `/p` starts at the folder of the file: written so that it means the same there. */
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

type Edit = { readonly path: JSONPath; readonly value: unknown };

/** What changes in the file: nothing where it says so already. */
function editsOf(update: PermissionUpdate, { permissions = {} }: Settings): readonly Edit[] {
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
): readonly Edit[] {
  const missing = [...new Set(added)].filter((item) => !known.includes(item));
  return missing.map((value, index) => ({ path: [...path, known.length + index], value }));
}

/** From the last to the first, so that those before it keep their places. */
function removals(
  path: JSONPath,
  known: readonly string[],
  removed: readonly string[],
): readonly Edit[] {
  return known
    .flatMap((item, index) => (removed.includes(item) ? [index] : []))
    .toReversed()
    .map((index) => ({ path: [...path, index], value: undefined }));
}

function withEdit(text: string, { path, value }: Edit): string {
  const tabs = /^\t/m.test(text);
  const spaces = /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const formattingOptions = {
    insertSpaces: !tabs,
    tabSize: tabs ? 1 : spaces,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

/** @throws UsageError if something else than a regular file is there */
async function modeOf(file: string): Promise<number | undefined> {
  const found = await orMissing(stat(file));
  if (found !== undefined && !found.isFile())
    throw new UsageError(`The file cannot be read: ${NOT_A_FILE}.`, { file });
  return found?.mode;
}

/** @throws UsageError if it is no regular file, too large or out of `roots` */
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
