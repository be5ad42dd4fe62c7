import { readlink, realpath } from 'node:fs/promises';
import { followLinks } from '../../../permissions/paths/resolve-links.js';
import { joinPath } from '../../../permissions/paths/normalise.js';
import type { ToolUseFiles } from '../../tool-context-groups.js';
import { errnoOf, FileError, notApprovedError, toFileError } from '../../../files/file-error.js';

/**
 * Resolve the real target of a path: every symbolic link followed, the last one too, even if its target does not exist
 * yet. Agents know a file by this name. Rejects if it is not the target that the call was allowed for: a link on the
 * way has changed since, or the working directory.
 */
export async function resolveTarget(
  { cwd, approvedPaths }: Pick<ToolUseFiles, 'cwd' | 'approvedPaths'>,
  path: string,
  access: 'read' | 'write',
): Promise<string> {
  const given = joinPath(cwd, path);
  const resolved = await follow(given, access);
  if (approvedPaths === undefined || approvedPaths.includes(resolved)) return resolved;
  throw notApprovedError(resolved, access);
}

async function follow(given: string, access: 'read' | 'write'): Promise<string> {
  try {
    return await realpath(given);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw toFileError(error, given, access);
  }
  const steps = followLinks(given);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await linkTarget(step.value, access));
  if (step.value !== undefined) return step.value;
  throw new FileError('refused', given, `${given}: its symbolic links form a loop.`);
}

async function linkTarget(path: string, access: 'read' | 'write'): Promise<string | null> {
  try {
    return await readlink(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EINVAL' || code === 'ENOENT') return null; // no link, or the path does not exist
    throw toFileError(error, path, access);
  }
}
