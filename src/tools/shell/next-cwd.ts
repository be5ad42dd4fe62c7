import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';

/**
 * Where an agent's next shell starts, when this one ended in `endedIn`: there, if that is a folder within the project;
 * else in the project's root, and `note` says why. With `isCwdGone`, `endedIn` is where the shell started.
 */
export async function findNextCwd(
  endedIn: string,
  projectRoot: string,
  { isCwdGone = false }: { readonly isCwdGone?: boolean | undefined } = {},
): Promise<{ readonly cwd: string; readonly note?: string }> {
  const root = await realpath(projectRoot).catch(() => projectRoot); // a root that is gone contains nothing
  const reset = (why: string) => ({
    cwd: projectRoot,
    note: `The working directory was reset to ${projectRoot}: ${endedIn} ${why}.`,
  });
  const isFolder = await stat(endedIn).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) return reset('does not exist any more');
  const inside = relative(root, await realpath(endedIn));
  if (inside === '..' || inside.startsWith('../') || isAbsolute(inside)) {
    return reset('is outside the project');
  }
  const cwd = inside === '' ? projectRoot : join(projectRoot, inside);
  if (!isCwdGone) return { cwd };
  return {
    cwd,
    note: `The working directory is still ${cwd}: the folder in which the command ended does not exist any more.`,
  };
}
