import { existsSync, mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createUuids } from '../core/ids.js';
import { toJsonText } from '../core/json/plain-json.js';
import { inFolder } from '../files/in-folder.js';
import { maskSecretsIn } from '../permissions/redaction/mask-secrets.js';
import { createBackgroundFlush } from './storage/background-flush.js';
import { agentFileNames, type AgentFile } from './storage/agent-files.js';
import { createFilePool, type FilePool } from './storage/file-pool.js';
import { createFirstFailure, JournalWriteError } from './journal-write-error.js';
import { createWholeFiles, type KeepWhole } from './storage/keep-whole.js';
import { repairTail } from './storage/repair-tail.js';
import { createFolderSyncs, createSyncRounds, type FolderSyncs } from './storage/sync-rounds.js';

/** Version of every line; readers refuse newer versions. */
export const JOURNAL_VERSION = 1;

export type JournalFile =
  | 'session.jsonl'
  | 'labels.jsonl'
  | 'files.jsonl'
  | 'tasks.jsonl'
  | 'audit.jsonl'
  | 'mcp.jsonl'
  | 'schedule.jsonl'
  | AgentFile
  | `teams/${string}.jsonl`
  | `workflows/${string}.jsonl`;

/** The lines of a session's journal. */
export interface JournalLines {
  readonly directory: string;
  /** @returns the line's timestamp. @throws JournalWriteError */
  append(
    file: JournalFile,
    fields: { readonly type: string; readonly [key: string]: unknown },
  ): number;
  /** The journal of one agent, for `append`. */
  agentFile(agentId: string): AgentFile;
  /**
   * Resolve when the present content of the file is on stable storage, and the file's entry in its folder. Overlapping
   * calls share one round. Rejects with JournalWriteError.
   */
  sync(file: string): Promise<void>;
}

/** The files of a session's folder. */
export interface SessionFiles {
  readonly directory: string;
  /** The journal of one agent, below the folder. */
  agentFile(agentId: string): AgentFile;
  /** Absolute path of a file of the session; its folder exists. @throws JournalWriteError */
  pathOf(file: string): string;
  /** Append to a plain file of the session: a task's output, for example. @throws JournalWriteError */
  appendText(file: string, text: string): void;
}

/** Whether a journal still records. */
export interface JournalHealth {
  /** Why the journal has ended; undefined if it has not. */
  failure(): JournalWriteError | undefined;
  /** Fail the journal if a file in use was removed. */
  checkFiles(): void;
}

/**
 * The files of one session. The operating system has a line when `append` returns, so all effects of the line come
 * after it, in every file; `sync` makes it survive a loss of power.
 * The first failure of the file system ends the journal: nothing is written after it, in any file, as if the process
 * had ended there. The process that resumes the session cuts off a line that a failed write has left.
 */
export interface Journal extends JournalLines, SessionFiles, JournalHealth {
  /**
   * The same as `append`, but no file is made for this line alone: the line waits for the file's next line, or for the
   * next flush.
   */
  appendSoon(...line: Parameters<JournalLines['append']>): number;
  /**
   * Write a file that never changes, whole or not at all, and flush it soon. All sessions of a home share it: a correct
   * existing file does not change. @throws JournalWriteError
   */
  keepShared(file: string, text: string): void;
  /** Sync the file soon, without waiting: see {@link createBackgroundFlush}. */
  flushSoon(file: string): void;
  /** Close a file that will hardly be written again; the next line reopens it. */
  release(file: string): void;
  /** Wait for running rounds and close the files. No line comes after it: another process may be the writer now. */
  close(): Promise<void>;
}

type JournalOptions = {
  readonly directory: string;
  /** Whether the folder is there; otherwise the first file makes it. */
  readonly isMade?: boolean;
  /** Folder of shared files. */
  readonly sharedFolder?: string;
  readonly sessionId: string;
  readonly now: () => number;
  /** The journals of one orchestrator share these three. */
  readonly files?: FilePool;
  readonly folders?: FolderSyncs;
  readonly keepWhole?: KeepWhole;
  /** Called once, with the failure that has ended the journal. */
  readonly onFailure?: (error: JournalWriteError) => void;
};

export function createJournal({
  directory,
  isMade = false,
  sharedFolder = directory,
  sessionId,
  now,
  files = createFilePool(),
  folders = createFolderSyncs(),
  keepWhole = createWholeFiles(),
  onFailure = () => {},
}: JournalOptions): Journal {
  const paths = createPaths(directory, isMade);
  const rounds = createSyncRounds(directory, folders);
  const ending = createFirstFailure(onFailure);
  const { guard } = ending;
  let isClosed = false;

  const pathOf = (file: string): string => paths.known(file) ?? guard(file, () => paths.make(file));

  const { held, write } = createWriter(guard, (file) => files.descriptorOf(paths.make(file)));

  const sync = async (file: string): Promise<void> => {
    if (ending.failure() !== undefined) throw ending.failure();
    if (held.has(file)) write(file, '');
    await rounds.sync(pathOf(file)).catch((error: unknown) => {
      throw ending.fail(file, error);
    });
  };
  const flush = createBackgroundFlush(sync, () => isClosed || ending.failure() !== undefined);

  const heads = createHeads(sessionId, now, (file) =>
    guard(file, () => repairTail(paths.make(file))),
  );

  const append: Journal['append'] = (file, fields) => {
    if (isClosed) throw new JournalWriteError(file, 'the session has ended');
    const head = heads.next(file);
    write(file, toLine(file, head, fields));
    return head.timestamp;
  };

  const checkFile = (file: string): void => {
    const path = inFolder(directory, file);
    if (held.has(file) || ending.failure() !== undefined || existsSync(path)) return;
    ending.fail(file, new Error(`${path} was removed`));
  };

  return {
    directory,
    agentFile: agentFileNames(directory),
    failure: () => ending.failure(),
    append,
    appendSoon(file, fields) {
      const isThere = !held.has(file) && existsSync(inFolder(directory, file));
      if (isThere || isClosed) return append(file, fields);
      const head = heads.next(file);
      held.set(file, `${held.get(file) ?? ''}${toLine(file, head, fields)}`);
      flush.add(file);
      return head.timestamp;
    },
    appendText: write,
    keepShared: (file, text) =>
      guard(file, () => {
        const path = inFolder(sharedFolder, file);
        if (!keepWhole(path, text)) return;
        paths.set(file, path);
        flush.add(file);
      }),
    pathOf,
    sync,
    flushSoon: flush.add,
    release(file) {
      if (heads.newest.has(file)) checkFile(file);
      files.close(inFolder(directory, file));
      heads.newest.delete(file); // read from the file if it is written again
      paths.forget(file);
    },
    checkFiles: () => [...heads.newest.keys()].forEach(checkFile),
    async close() {
      isClosed = true;
      flush.stop();
      await rounds.settled();
      for (const path of paths.all()) files.close(path);
    },
  };
}

/** The fields with which every line begins. */
type LineHead = {
  /** Epoch ms. */
  readonly timestamp: number;
  /** JSON up to the fields of the line itself. */
  readonly text: string;
};

/** @param lastOf the newest line of a file of an earlier process, after which new lines follow */
function createHeads(
  sessionId: string,
  now: () => number,
  lastOf: (file: JournalFile) => string | null,
) {
  const nextUuid = createUuids();
  const session = JSON.stringify(sessionId);
  /** The UUID of the newest line of each written file, as JSON. */
  const newest = new Map<string, string>();
  return {
    newest,
    next(file: JournalFile): LineHead {
      const parent = newest.get(file) ?? JSON.stringify(lastOf(file));
      const uuid = `"${nextUuid()}"`;
      newest.set(file, uuid);
      const timestamp = now();
      const text = `{"version":${JOURNAL_VERSION},"uuid":${uuid},"parentUuid":${parent},"sessionId":${session},"timestamp":${JSON.stringify(timestamp)},`;
      return { timestamp, text };
    },
  };
}

function createWriter(
  guard: ReturnType<typeof createFirstFailure>['guard'],
  descriptorOf: (file: string) => number,
) {
  /** Lines of files that do not exist yet. */
  const held = new Map<string, string>();
  return {
    held,
    write: (file: string, text: string): void =>
      guard(file, () => {
        const descriptor = descriptorOf(file);
        const bytes = Buffer.from(`${held.get(file) ?? ''}${text}`);
        held.delete(file);
        for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
      }),
  };
}

/** The paths of a journal's files, whose folders are made with them. */
function createPaths(directory: string, isMade: boolean) {
  const paths = new Map<string, string>();
  const folders = new Set<string>(isMade ? [directory] : []);
  return {
    known: (file: string): string | undefined => paths.get(file),
    make(file: string): string {
      const known = paths.get(file);
      if (known !== undefined) return known;
      const path = inFolder(directory, file);
      const folder = dirname(path);
      if (!folders.has(folder)) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        folders.add(folder);
      }
      paths.set(file, path);
      return path;
    },
    /** Note a file in another place. */
    set: (file: string, path: string): void => void paths.set(file, path),
    forget: (file: string): void => void paths.delete(file),
    all: (): Iterable<string> => paths.values(),
  };
}

function toLine(file: JournalFile, head: LineHead, fields: object): string {
  const mask = file === 'audit.jsonl' ? maskSecretsIn : (value: unknown) => value;
  return `${head.text}${textOf(fields, mask).slice(1)}\n`;
}

/** Values that JSON cannot express are described: a value of a program must not end the session. */
function textOf(fields: object, mask: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(mask(fields)); // a record stays a record
  } catch {
    return JSON.stringify(mask(JSON.parse(toJsonText(fields))));
  }
}
