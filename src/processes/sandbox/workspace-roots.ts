import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { ShellStartError } from '../shell-errors.js';

/** Where the folders of a workspace really are: found out once for each, for a command could turn one into a link. */
export function createRootFinder(): (root: string) => string {
  const known = new Map<string, string>();
  return (root) => {
    const real = known.get(root) ?? realPath(root);
    known.set(root, real);
    if (realPath(real) !== real)
      throw new ShellStartError(
        `${root} leads elsewhere than at the start of the session, so the sandbox would be open there. Put ${real} back.`,
      );
    return real;
  };
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw new ShellStartError(
      `${path} is not there. Put it back, or take it out of the workspace.`,
      {
        cause: error,
      },
    );
  }
}

/** Absolute, `~` and a place below the workspace filled in. */
export function expandPath(path: string, { home, cwd }: { home: string; cwd: string }): string {
  return path === '~' || path.startsWith('~/') ? resolve(home, path.slice(2)) : resolve(cwd, path);
}
