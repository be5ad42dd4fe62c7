import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { whyUnreadable } from '../files/near-file.js';
import { UsageError } from '../core/errors.js';

/**
 * A further folder of the workspace, absolute.
 *
 * @param option what the folder was given as
 * @throws UsageError where it is none
 */
export async function findDirectory(
  directory: string,
  { cwd, option, hint }: { readonly cwd: string; readonly option: string; readonly hint: string },
): Promise<string> {
  const path = resolve(cwd, directory);
  try {
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    const why = await whyUnreadable(path, error);
    throw new UsageError(`${option}: ${path}: ${why} ${hint}`, {}, { cause: error });
  }
  throw new UsageError(`${option}: ${path} is not a folder. ${hint}`);
}
