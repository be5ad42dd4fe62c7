import { stat } from 'node:fs/promises';
import type { ValidationResult } from '../../tool.js';
import type { ToolUseFiles } from '../../tool-context-groups.js';
import { changedError, unreadError } from '../access/known-file.js';
import { errnoOf } from '../../../files/file-error.js';
import { resolveTarget } from '../access/resolve-path.js';

/**
 * Find the problems of a write before a permission request: the agent has not read the file, or its size has changed
 * since. Nothing else of the file is checked. The write itself checks again.
 */
export async function validateWrite(
  filePath: string,
  files: ToolUseFiles,
): Promise<ValidationResult> {
  const path = await resolveTarget(files, filePath, 'write');
  const found = await stat(path).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isFile() !== true) return { result: true };
  const known = files.readFileState.get(path);
  if (known === undefined) return { result: false, message: unreadError(path).message };
  return known.size === found.size || files.editor !== undefined // its text may not be saved
    ? { result: true }
    : { result: false, message: changedError(path).message };
}
