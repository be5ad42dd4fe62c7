import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { whyUnreadable } from '../../files/near-file.js';
import { UsageError } from '../../core/errors.js';

/**
 * The absolute path of a further folder of the workspace.
 *
 * @param option name of the option that gave the folder
 * @throws UsageError if it is not a folder
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
