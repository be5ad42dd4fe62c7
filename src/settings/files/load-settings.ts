import { statSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { nearFileHint } from '../../files/near-file.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { UsageError } from '../../core/errors.js';
import { describeSystemError } from '../../core/system-error.js';
import type { PermissionRuleSource } from '../../core/permission-types.js';
import { given } from '../../core/json/given.js';
import { parseJsonAs } from './parse-json.js';
import { Settings } from '../schema/settings-schema.js';
import type { SettingsFile } from './settings-files.js';

export type LoadedSettings = {
  readonly settings: Settings;
  readonly source: PermissionRuleSource;
  /** Absent if the settings were given as text. */
  readonly file?: string;
  /** As written, to find the place of a value. */
  readonly text?: string;
  /** The base folder of `/p` in the file's rules, under all its names; the project's if absent. */
  readonly roots?: readonly string[];
  /** The user's own file for this folder: it applies whether the folder is trusted or not. */
  readonly isOwn?: true;
};

const WHOLE = 'The settings';

/**
 * Read settings from JSON text or from a file; the file is not changed.
 *
 * @param textOrPath JSON text if it starts with `{`, otherwise a path.
 * @throws UsageError with file, line and column of the fault, or with the path that cannot be read.
 */
export async function loadSettings(
  textOrPath: string,
  source: PermissionRuleSource,
): Promise<LoadedSettings> {
  if (textOrPath.trimStart().startsWith('{')) {
    const settings = parseJsonAs(Settings, textOrPath, { file: '--settings', whole: WHOLE });
    return { settings, source, text: textOrPath };
  }
  const hint = 'Give the path of a JSON file, or JSON text that starts with "{".';
  const text = await readFile(textOrPath, 'utf8').catch(async (error: unknown) => {
    const near = await nearFileHint(textOrPath);
    throw cannotRead(textOrPath, error, near.trim() || hint);
  });
  const settings = parseJsonAs(Settings, text, { file: textOrPath, whole: WHOLE });
  return { settings, source, file: textOrPath, text };
}

/**
 * Read a settings file if it exists. An existing file that is invalid is an error, never ignored.
 *
 * @param isKnown whether the file was already read under another name.
 * @throws UsageError like {@link loadSettings}.
 */
export async function loadSettingsFile(
  { source, path, root, isOwn }: SettingsFile,
  isKnown: (identity: string) => boolean,
): Promise<LoadedSettings | undefined> {
  const identity = identify(path);
  if (identity === undefined || isKnown(identity)) return undefined;
  const read = readPlantedFile(path); // a link may lead to the user's own files
  if (read.status === 'missing') return undefined;
  if (read.status === 'unusable') throw cannotRead(path, read.why, REPAIR);
  const { text } = read;
  const settings = parseJsonAs(Settings, text, { file: path, whole: WHOLE });
  if (root === undefined) return { settings, source, file: path, text, ...given({ isOwn }) };
  const roots = [...new Set([root, await realpath(root)])];
  return { settings, source, file: path, text, roots };
}

/** Undefined if the file does not exist. Nearly every run needs only this cheap look. */
function identify(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (!stat.isFile()) throw new Error('it is not a file');
    return `${stat.dev}:${stat.ino}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw cannotRead(path, error, REPAIR);
  }
}

const REPAIR = 'Repair it, or move it away.';

function cannotRead(file: string, error: unknown, hint: string): UsageError {
  const why = describeSystemError(error);
  return new UsageError(`Settings cannot be read: ${why}. ${hint}`, { file }, { cause: error });
}
