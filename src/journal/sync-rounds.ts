import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Brings files to stable storage, a new file together with its entry in its folder. Each file has at most one round under
 * way and one that waits: calls that overlap share them.
 */
export interface SyncRounds {
  /** Resolve when all that the file holds now is on stable storage. @throws what the file system says */
  sync(path: string): Promise<void>;
  /** Resolve when no round is under way; never rejects. */
  settled(): Promise<void>;
}

type Round = { readonly running: Promise<void>; next: Promise<void> | undefined };

/** @param folder a session's folder; its own entry and those of the three folders above it count as new, too */
export function createSyncRounds(folder: string): SyncRounds {
  const rounds = new Map<string, Round>();
  const seen = new Set<string>();

  /** Folders whose entries are new, as far as this file needs them. */
  const newFolders = (path: string): readonly string[] => {
    if (seen.has(path)) return [];
    const above = seen.size === 0 ? ancestors(folder, LEVELS_TO_HOME) : [];
    seen.add(path);
    return [...new Set([dirname(path), ...above])];
  };

  const sync = (path: string): Promise<void> => {
    const round = rounds.get(path);
    if (round !== undefined) return (round.next ??= round.running.then(() => sync(path)));
    const folders = newFolders(path);
    const running = syncAll(path, folders).finally(() => rounds.delete(path));
    rounds.set(path, { running, next: undefined });
    return running;
  };

  return {
    sync,
    async settled() {
      await Promise.allSettled([...rounds.values()].map((round) => round.next ?? round.running));
    },
  };
}

/** `<home>/projects/<project>/<session>` */
const LEVELS_TO_HOME = 3;

function ancestors(folder: string, levels: number): readonly string[] {
  return levels < 0 ? [] : [folder, ...ancestors(dirname(folder), levels - 1)];
}

async function syncAll(path: string, folders: readonly string[]): Promise<void> {
  const all = await Promise.allSettled([syncFile(path), ...folders.map(syncFolder)]);
  const failed = all.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** By a handle of its own: the pooled one may be closed meanwhile. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!CANNOT_SYNC_FOLDERS.has(code)) throw error;
  }
}

/** Some file systems and platforms sync no folder, or show none of those above to everybody. */
const CANNOT_SYNC_FOLDERS: ReadonlySet<string> = new Set([
  'EACCES',
  'EINVAL',
  'EISDIR',
  'ENOTSUP',
  'EPERM',
]);
