import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { ShellStartError } from '../start/shell-errors.js';

/** Find the real paths of workspace folders: once for each, because a command could replace a folder with a link. */
export function createRootFinder(): (root: string) => string {
  const known = new Map<string, string>();
  return (root) => {
    const real = known.get(root) ?? realPath(root);
    known.set(root, real);
    if (realPath(real) !== real)
      throw new ShellStartError(
        `${root} no longer leads to the same folder as at the start of the session, so the sandbox would allow writing there. Restore ${real}.`,
      );
    return real;
  };
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw new ShellStartError(
      `${path} does not exist. Restore it, or remove it from the workspace.`,
      {
        cause: error,
      },
    );
  }
}

/** Make a path absolute: fill in `~`, and resolve relative paths below the workspace. */
export function expandPath(path: string, { home, cwd }: { home: string; cwd: string }): string {
  return path === '~' || path.startsWith('~/') ? resolve(home, path.slice(2)) : resolve(cwd, path);
}
