import { realpath } from 'node:fs/promises';
import { pinFolder, type PinnedFolder } from '../../files/pinned-folder.js';
import { isInside } from '../../files/is-inside.js';
import { ShellStartError } from './shell-errors.js';

/**
 * Hold the folder open in which a shell starts, so that the shell starts there even if a link replaces the path
 * meanwhile.
 *
 * @param workspace folders of which one must contain the start folder at this moment; no check if absent.
 */
export async function pinStartFolder(
  cwd: string,
  workspace: readonly string[] | undefined,
): Promise<PinnedFolder> {
  const real = await realpath(cwd);
  if (workspace !== undefined) {
    const roots = await Promise.all(
      workspace.map((root) => realpath(root).catch(() => undefined)), // a folder that does not exist contains nothing
    );
    if (!roots.some((root) => root !== undefined && isInside(real, root)))
      throw new ShellStartError(
        `${cwd} now leads to ${real}, which is outside the workspace. Nothing was run.`,
      );
  }
  return pinFolder(real, 'read');
}
