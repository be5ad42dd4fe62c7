import { closeSync, fdatasync, fsync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Brings files to stable storage, a new file together with its entry in its folder. Each file has at most one running
 * round and one that waits; overlapping calls share them.
 */
export interface SyncRounds {
  /** Resolve when the present content of the file is on stable storage. @throws the error of the file system */
  sync(path: string): Promise<void>;
  /** Resolve when no round is running; never rejects. */
  settled(): Promise<void>;
}

/** @param folder a session's folder; its own entry and those of the three folders above it count as new, too */
export function createSyncRounds(folder: string, folders: FolderSyncs): SyncRounds {
  const seen = new Set<string>();
  const [project = folder, ...above] = ancestors(folder, LEVELS_TO_HOME);

  /** The new entries of this file: its own, and with the first file those of the session. */
  const syncEntries = (path: string): readonly Promise<void>[] => {
    if (seen.has(path)) return [];
    const isFirst = seen.size === 0;
    seen.add(path);
    const own = isFirst ? [dirname(path), folder, project] : [dirname(path)];
    return [
      ...[...new Set(own)].map((one) => folders.sync(one)),
      ...(isFirst ? [project, ...above.slice(0, -1)].map((one) => folders.keep(one)) : []),
    ];
  };
  return createRounds((path) => allOf([syncFile(path), ...syncEntries(path)]));
}

/** Brings folders to stable storage, for all sessions of an orchestrator: calls that overlap share rounds. */
export interface FolderSyncs {
  /** Resolve when the folder's entries of now are on stable storage. @throws what the file system says */
  sync(folder: string): Promise<void>;
  /** The same for the entry of a folder that sessions share, once. */
  keep(folder: string): Promise<void>;
}

export function createFolderSyncs(): FolderSyncs {
  const { sync } = createRounds(syncFolder);
  const kept = new Map<string, Promise<void>>();
  return {
    sync,
    keep(folder) {
      const known = kept.get(folder);
      if (known !== undefined) return known;
      const keeping = sync(dirname(folder)).catch((error: unknown) => {
        kept.delete(folder);
        throw error;
      });
      kept.set(folder, keeping);
      return keeping;
    },
  };
}

type Round = { readonly running: Promise<void>; next: Promise<void> | undefined };

function createRounds(run: (path: string) => Promise<void>): SyncRounds {
  const rounds = new Map<string, Round>();
  const sync = (path: string): Promise<void> => {
    const round = rounds.get(path);
    if (round !== undefined) return (round.next ??= round.running.then(() => sync(path)));
    const running = run(path).finally(() => rounds.delete(path));
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

/** The folders above a session's folder, the nearest first. */
function ancestors(folder: string, levels: number): readonly string[] {
  if (levels === 0) return [];
  const above = dirname(folder);
  return [above, ...ancestors(above, levels - 1)];
}

async function allOf(syncing: readonly Promise<void>[]): Promise<void> {
  const all = await Promise.allSettled(syncing);
  const failed = all.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** With a separate descriptor: the pooled one may be closed meanwhile. */
async function syncFile(path: string): Promise<void> {
  await flush(openSync(path, 'r+'), fdatasync);
}

async function syncFolder(path: string): Promise<void> {
  try {
    await flush(openSync(path, 'r'), fsync);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!CANNOT_SYNC_FOLDERS.has(code)) throw error;
  }
}

/** Only the flush waits for the disk: one job of the thread pool in place of three. Closes the descriptor. */
function flush(descriptor: number, run: typeof fsync): Promise<void> {
  return new Promise((resolve, reject) => {
    run(descriptor, (error) => {
      closeSync(descriptor);
      if (error === null) resolve();
      else reject(error);
    });
  });
}

/** Errors of file systems and platforms that cannot sync folders, or hide the folders above. */
const CANNOT_SYNC_FOLDERS: ReadonlySet<string> = new Set([
  'EACCES',
  'EINVAL',
  'EISDIR',
  'ENOTSUP',
  'EPERM',
]);
