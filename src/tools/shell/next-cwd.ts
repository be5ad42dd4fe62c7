import { realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isInside } from '../../files/is-inside.js';

/**
 * Find the folder of an agent's next shell, if this one ended in `endedIn`: the same folder if it is within the
 * project, otherwise the project's root with a `note` that says why. With `isCwdGone`, `endedIn` is the folder where
 * the shell started.
 */
export async function findNextCwd(
  endedIn: string,
  projectRoot: string,
  { isCwdGone = false }: { readonly isCwdGone?: boolean | undefined } = {},
): Promise<{ readonly cwd: string; readonly note?: string }> {
  const root = await realpath(projectRoot).catch(() => projectRoot); // a missing root contains nothing
  const reset = (why: string) => ({
    cwd: projectRoot,
    note: `The working directory was reset to ${projectRoot}: ${endedIn} ${why}.`,
  });
  const isFolder = await stat(endedIn).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) return reset('does not exist any more');
  const real = await realpath(endedIn);
  if (!isInside(real, root)) return reset('is outside the project');
  const cwd = join(projectRoot, relative(root, real));
  if (!isCwdGone) return { cwd };
  return {
    cwd,
    note: `The working directory is still ${cwd}: the folder in which the command ended does not exist any more.`,
  };
}
