import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JournalWriteError } from './journal-write-error.js';

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

export type JournalFile = 'tasks.jsonl' | 'audit.jsonl' | `agents/${string}.jsonl`;

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
  /** Waits for rounds under way. */
  close(): Promise<void>;
}

/** Beyond it each line opens and closes its file anew; half of the usual limit of a process. */
const MAX_OPEN_FILES = 512;

export function createJournal({
  directory,
  sessionId,
  now,
}: {
  directory: string;
  sessionId: string;
  now: () => number;
}): Journal {
  const descriptors = new Map<string, number>();
  const parents = new Map<string, string>();
  const folders = new Set<string>();
  const rounds = new Map<string, Round>();

  const pathOf = (file: string): string => {
    const path = join(directory, file);
    const folder = dirname(path);
    if (!folders.has(folder)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      folders.add(folder);
    }
    return path;
  };

  const descriptorOf = (file: string): number => {
    const known = descriptors.get(file);
    if (known !== undefined) {
      descriptors.delete(file); // to the end: most recently used
      descriptors.set(file, known);
      return known;
    }
    if (descriptors.size >= MAX_OPEN_FILES) {
      const [oldest, descriptor] = descriptors.entries().next().value as [string, number];
      descriptors.delete(oldest);
      closeSync(descriptor);
    }
    const descriptor = openSync(pathOf(file), 'a', 0o600);
    descriptors.set(file, descriptor);
    return descriptor;
  };

  const write = (file: string, text: string): void => {
    try {
      const descriptor = descriptorOf(file);
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

  return {
    directory,
    append(file, fields) {
      const uuid = globalThis.crypto.randomUUID();
      const timestamp = now();
      const head: LineHead = {
        version: JOURNAL_VERSION,
        uuid,
        parentUuid: parents.get(file) ?? null,
        sessionId,
        timestamp,
      };
      write(file, `${JSON.stringify({ ...head, ...fields })}\n`);
      parents.set(file, uuid);
      return timestamp;
    },
    appendText: write,
    pathOf,
    sync,
    async close() {
      await Promise.all([...rounds.values()].map((round) => round.next ?? round.running));
      for (const descriptor of descriptors.values()) closeSync(descriptor);
      descriptors.clear();
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
