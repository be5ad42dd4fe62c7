import { mkdirSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { maskSecretsIn } from '../permissions/mask-secrets.js';
import { createFilePool, type FilePool } from './file-pool.js';
import { JournalWriteError } from './journal-write-error.js';
import { repairTail } from './repair-tail.js';

/** Version of every line; readers refuse what is newer than they are. */
export const JOURNAL_VERSION = 1;

/** What stands on every line beside its own fields. */
export type LineHead = {
  readonly version: number;
  readonly uuid: string;
  /** The line before it in the same file. */
  readonly parentUuid: string | null;
  readonly sessionId: string;
  /** Epoch ms. */
  readonly timestamp: number;
};

export type JournalFile =
  | 'session.jsonl'
  | 'tasks.jsonl'
  | 'audit.jsonl'
  | 'mcp.jsonl'
  | 'schedule.jsonl'
  | `agents/${string}.jsonl`
  | `teams/${string}.jsonl`
  | `workflows/${string}.jsonl`;

/**
 * The files of one session. A line is with the operating system when `append` returns, so whatever follows from it
 * happens after it, in every file; `sync` makes what was written survive a loss of power.
 */
export interface Journal {
  readonly directory: string;
  /** @returns the line's timestamp */
  append(
    file: JournalFile,
    fields: { readonly type: string; readonly [key: string]: unknown },
  ): number;
  /** Appends to a plain file of the session: a task's output, say. */
  appendText(file: string, text: string): void;
  /** Absolute path of a file of the session; its folder exists. */
  pathOf(file: string): string;
  /** Resolves when all that the file holds now is on stable storage. Calls that overlap share one round. */
  sync(file: JournalFile): Promise<void>;
  /** Closes a file that will hardly be written again; the next line opens it anew. */
  release(file: string): void;
  /** Waits for rounds under way and closes its files. No line comes after it: another may be the writer now. */
  close(): Promise<void>;
}

export function createJournal({
  directory,
  sessionId,
  now,
  files = createFilePool(),
}: {
  directory: string;
  sessionId: string;
  now: () => number;
  /** Shared by the journals of one orchestrator. */
  files?: FilePool;
}): Journal {
  /** The newest line of each file that was written to. */
  const parents = new Map<string, string | null>();
  const paths = new Map<string, string>();
  const folders = new Set<string>();
  const rounds = new Map<string, Round>();
  let isClosed = false;

  const pathOf = (file: string): string => {
    const known = paths.get(file);
    if (known !== undefined) return known;
    const path = join(directory, file);
    const folder = dirname(path);
    if (!folders.has(folder)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      folders.add(folder);
    }
    paths.set(file, path);
    return path;
  };

  const write = (file: string, text: string): void => {
    try {
      const descriptor = files.descriptorOf(pathOf(file));
      let rest = Buffer.from(text);
      while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      throw new JournalWriteError(file, error);
    }
  };

  /** One round at a time and one that waits, for all who came while it ran. */
  const sync = (file: string): Promise<void> => {
    const round = rounds.get(file);
    if (round !== undefined) return (round.next ??= round.running.then(() => sync(file)));
    const running = flushFile(pathOf(file))
      .catch((error: unknown) => {
        throw new JournalWriteError(file, error);
      })
      .finally(() => rounds.delete(file));
    rounds.set(file, { running, next: undefined });
    return running;
  };

  /** A file that an earlier process has left is gone on with. */
  const parentOf = (file: string): string | null => {
    const known = parents.get(file);
    if (known !== undefined) return known;
    try {
      return repairTail(pathOf(file));
    } catch (error) {
      throw new JournalWriteError(file, error);
    }
  };

  return {
    directory,
    append(file, fields) {
      if (isClosed) throw new JournalWriteError(file, 'the session has ended');
      const uuid = globalThis.crypto.randomUUID();
      const timestamp = now();
      const head: LineHead = {
        version: JOURNAL_VERSION,
        uuid,
        parentUuid: parentOf(file),
        sessionId,
        timestamp,
      };
      const said = file === 'audit.jsonl' ? (maskSecretsIn(fields) as object) : fields; // what is a record stays one
      write(file, `${JSON.stringify({ ...head, ...said })}\n`);
      parents.set(file, uuid);
      return timestamp;
    },
    appendText: write,
    pathOf,
    sync,
    release(file) {
      files.close(join(directory, file));
      parents.delete(file); // read off the file where it is written to again
      paths.delete(file);
    },
    async close() {
      isClosed = true;
      await Promise.all([...rounds.values()].map((round) => round.next ?? round.running));
      files.closeBelow(directory);
    },
  };
}

type Round = { readonly running: Promise<void>; next: Promise<void> | undefined };

/** By a handle of its own: the pooled one may be closed meanwhile. */
async function flushFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
