import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, UsageError } from '../../core/errors.js';

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
    throw new UsageError(`${option}: ${messageOf(error)}. ${hint}`, {}, { cause: error });
  }
  throw new UsageError(`${option}: ${path} is no folder. ${hint}`);
}
