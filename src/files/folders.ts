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

/** The folders of a user for all projects; absolute. */
export function userFolders(env: Environment): UserFolders {
  const home = env['HOME'] || homedir();
  return {
    home,
    claude: resolve(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')),
    troupe: resolve(env['TROUPE_HOME'] || join(home, '.troupe')),
  };
}

/** The folders of this machine's administrator, weakest first; absolute. They need not exist. */
export function managedFolders(env: Environment): readonly string[] {
  const settings = env['TROUPE_MANAGED_SETTINGS'];
  const added = settings ? [dirname(resolve(settings))] : [];
  return [...new Set(['/etc/claude-code', '/etc/troupe', ...added])];
}

/** The folders `.claude` and `.troupe` of the administrator that exist, weakest first. */
export function managedOwnFolders(env: Environment): readonly string[] {
  return managedFolders(env)
    .flatMap((folder) => ['.claude', '.troupe'].map((name) => join(folder, name)))
    .filter((folder) => existsSync(folder));
}

/** The git work tree of `folder`. */
export function findWorkTree(folder: string): string | undefined {
  return foldersDownTo(folder).findLast((one) => isRepository(join(one, '.git')));
}

/**
 * The same test as git's: an empty folder or file of that name is not a repository (a sandbox has such placeholders).
 */
function isRepository(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false }); // an error for each missing one takes long
    if (stats?.isFile() === true) return stats.size > 0; // the file names the repository
    return stats !== undefined && existsSync(join(path, 'HEAD'));
  } catch {
    return false; // not accessible
  }
}

/** The folders that a project's files may be in: its work tree and this folder of it, after all links. */
export function realRoots(
  folder: string,
  project = findWorkTree(folder) ?? folder,
): readonly string[] {
  return [...new Set([project, folder].map(realOf))];
}

/** Return the real path of a folder; a missing folder does not change. */
export function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/**
 * The folders from the root of the file system, or from `top` if that is above it, down to `folder`. Both are absolute.
 */
export function foldersDownTo(folder: string, top?: string): readonly string[] {
  const folders = [folder];
  for (let one = folder; one !== top && one !== dirname(one); one = dirname(one))
    folders.unshift(dirname(one));
  return folders;
}
