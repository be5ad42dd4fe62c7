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
  const names = await readdir(dirname(file)).catch((): readonly string[] => []);
  if (names.includes(basename(file))) return '';
  const near = nearestName(basename(file), names);
  if (near === undefined) return '';
  const folder = dirname(file);
  return ` Did you mean ${folder === '.' ? near : join(folder, near)}?`;
}
