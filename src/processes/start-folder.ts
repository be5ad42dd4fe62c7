import { realpath } from 'node:fs/promises';
import { pinFolder, type PinnedFolder } from '../files/pinned-folder.js';
import { isInside } from '../files/is-inside.js';
import { ShellStartError } from './shell-errors.js';

/**
 * Holds open the folder that a shell starts in, so that it starts there whatever is linked to its place meanwhile.
 *
 * @param workspace what the folder has to be in, by now too; anywhere where absent.
 */
export async function pinStartFolder(
  cwd: string,
  workspace: readonly string[] | undefined,
): Promise<PinnedFolder> {
  const real = await realpath(cwd);
  if (workspace !== undefined) {
    const roots = await Promise.all(
      workspace.map((root) => realpath(root).catch(() => undefined)), // one that is gone holds nothing
    );
    if (!roots.some((root) => root !== undefined && isInside(real, root)))
      throw new ShellStartError(
        `${cwd} leads to ${real} by now, which is outside the workspace. Nothing was run.`,
      );
  }
  return pinFolder(real, 'read');
}
