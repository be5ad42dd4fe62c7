import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export type UserFolders = {
  readonly home: string;
  /** `CLAUDE_CONFIG_DIR`, or `~/.claude`. */
  readonly claude: string;
  /** `TROUPE_HOME`, or `~/.troupe`. */
  readonly troupe: string;
};

/** Where a user keeps what holds for all projects; absolute. */
export function userFolders(env: Environment): UserFolders {
  const home = env['HOME'] || homedir();
  return {
    home,
    claude: resolve(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')),
    troupe: resolve(env['TROUPE_HOME'] || join(home, '.troupe')),
  };
}

/** The work tree of git that `folder` is in. */
export function findWorkTree(folder: string): string | undefined {
  return foldersDownTo(folder).findLast((one) => isRepository(join(one, '.git')));
}

/** As git sees it: an empty folder or file of that name keeps a place, in a sandbox say. */
function isRepository(path: string): boolean {
  if (existsSync(join(path, 'HEAD'))) return true;
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size > 0; // it says where the repository is
  } catch {
    return false; // it is not there, or nobody may look
  }
}

/** Where files that came with a project may be: in its work tree and in this folder of it, behind all links. */
export function realRoots(
  folder: string,
  project = findWorkTree(folder) ?? folder,
): readonly string[] {
  return [...new Set([project, folder].map(realOf))];
}

/** A folder that is not there is left as it is. */
function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/** From the file system's root, or from `top` where that is above it, down to `folder`. Both are absolute. */
export function foldersDownTo(folder: string, top?: string): readonly string[] {
  const folders = [folder];
  for (let one = folder; one !== top && one !== dirname(one); one = dirname(one))
    folders.unshift(dirname(one));
  return folders;
}
