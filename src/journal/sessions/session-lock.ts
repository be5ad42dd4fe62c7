import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readRegularFile } from '../../files/regular-file.js';
import { UsageError } from '../../core/errors.js';
import { tryParseJson } from '../../core/json/try-parse-json.js';
import { JournalWriteError } from '../journal-write-error.js';
import { isAlive, ProcessOwner, thisProcess } from '../storage/process-owner.js';

export interface SessionLock {
  /** The file of the lock; undefined after its release. */
  file(): string | undefined;
  /** A second call does nothing. */
  release(): void;
}

/**
 * Make this process the only writer of a session. A lock whose process is gone is taken over.
 *
 * @param other another lock of this process: a link to it costs less than a new file. A hundred sessions at once
 * show it (`npm run bench -- concurrent-agents`).
 * @throws UsageError names the process that holds it
 */
export function lockSession(directory: string, other?: SessionLock): SessionLock {
  return lockFile(join(directory, 'lock'), other?.file());
}

/** The same by the path of the lock. */
function lockFile(path: string, own?: string): SessionLock {
  const text = JSON.stringify(thisProcess());
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new JournalWriteError('lock', error);
  }
  if (!linkTo(own, path, text) && !create(path, text)) takeOver(path, text);
  let isHeld = true;
  return {
    file: () => (isHeld ? path : undefined),
    release() {
      if (!isHeld) return;
      isHeld = false;
      if (read(path) === text) rmSync(path, { force: true });
    },
  };
}

const RETRY_DELAY_MS = 10;

/** The same, after a wait for the process that holds the lock. @throws UsageError if it holds it for longer */
export async function lockFileWithin(path: string, waitMs: number): Promise<SessionLock> {
  for (const until = performance.now() + waitMs; ; await delay(RETRY_DELAY_MS)) {
    try {
      return lockFile(path);
    } catch (error) {
      if (!(error instanceof UsageError) || performance.now() > until) throw error;
    }
  }
}

/** The state of a session's lock. `unknown`: the process is of another machine. */
export type LockState = {
  readonly state: 'live' | 'stale' | 'unknown';
  /** Absent if the file is torn. */
  readonly pid?: number;
};

/** Read a session's lock without changing it; undefined if there is none. */
export function readLock(directory: string): LockState | undefined {
  const text = read(join(directory, 'lock'));
  if (text === undefined) return undefined;
  const owner = parseOwner(text);
  if (owner === undefined) return { state: 'stale' };
  const { pid } = owner;
  if (owner.hostname !== hostname()) return { state: 'unknown', pid };
  return { state: isAlive(owner) ? 'live' : 'stale', pid };
}

/**
 * Make a missing lock as another name of one that this process holds.
 *
 * @returns whether this process has the lock; false if there is one, or if the file system has no links
 */
function linkTo(own: string | undefined, path: string, text: string): boolean {
  if (own === undefined) return false;
  try {
    linkSync(own, path);
  } catch {
    return false; // `create` says what is wrong
  }
  if (read(path) === text) return true;
  rmSync(path, { force: true }); // somebody has written into the other lock
  return false;
}

/**
 * Make a missing lock, with one step less than by a link. The lock is torn until it is written: another process may
 * remove it in between.
 *
 * @returns whether this process has the lock
 */
function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if (parseOwner(read(path) ?? '') === undefined) rmSync(path, { force: true }); // half of it
    throw new JournalWriteError('lock', error);
  }
  return read(path) === text;
}

/** Take over by a link, which is made whole or not at all: several processes may try at once. */
function takeOver(path: string, text: string): void {
  const own = `${path}.${globalThis.crypto.randomUUID()}`;
  try {
    writeFileSync(own, text, { mode: 0o600 });
  } catch (error) {
    rmSync(own, { force: true });
    throw new JournalWriteError('lock', error);
  }
  try {
    while (!link(own, path)) removeStale(path, own);
  } finally {
    rmSync(own, { force: true });
  }
}

/** @returns whether this process has `path`: a link is made whole or not at all */
function link(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new JournalWriteError('lock', error);
  }
}

/** Remove a lock whose process is gone. A new lock of another process is restored. */
function removeStale(path: string, own: string): void {
  const text = read(path);
  if (text === undefined) return; // released just now
  refuseLive(text, path);
  const moved = `${own}.stale`;
  try {
    renameSync(path, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return; // another process was faster
    throw new JournalWriteError('lock', error);
  }
  const taken = read(moved);
  if (taken !== text) link(moved, path);
  rmSync(moved, { force: true, recursive: true });
}

function refuseLive(text: string, path: string): void {
  const owner = parseOwner(text);
  if (owner === undefined) return; // torn: its writer is gone
  const isHere = owner.hostname === hostname();
  if (isHere && !isAlive(owner)) return;
  const where = isHere ? '' : ` on ${owner.hostname}`;
  const hint = isHere
    ? 'Wait for its end, or use --fork-session.'
    : `If it is gone, remove ${path}; or use --fork-session.`;
  throw new UsageError(`The session is in use by process ${owner.pid}${where}. ${hint}`);
}

function parseOwner(text: string): ProcessOwner | undefined {
  return ProcessOwner.safeParse(tryParseJson(text)).data;
}

function read(path: string): string | undefined {
  try {
    return readRegularFile(path) ?? '';
  } catch {
    return undefined; // it does not exist
  }
}
