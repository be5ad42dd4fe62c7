import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nearestName } from '../core/text/nearest-name.js';
import { describeSystemError } from '../core/system-error.js';

/** Why a file or a folder cannot be read, as sentences: with the name of a similar one if it is missing. */
export async function whyUnreadable(file: string, error: unknown): Promise<string> {
  return `${describeSystemError(error)}.${await nearFileHint(file)}`;
}

/** `Did you mean …?` with a blank before it, if the folder of a missing file has one with a similar name. */
export async function nearFileHint(file: string): Promise<string> {
  const near = await findNearFile(file);
  return near === undefined || near === file ? '' : ` Did you mean ${near}?`;
}

/** Find a file by its name, or else one with a similar name in the same folder. */
export async function findNearFile(file: string): Promise<string | undefined> {
  const names = await readdir(dirname(file)).catch((): readonly string[] => []);
  if (names.includes(basename(file))) return file;
  const near = nearestName(basename(file), names);
  if (near === undefined) return undefined;
  const folder = dirname(file);
  return folder === '.' ? near : join(folder, near);
}
