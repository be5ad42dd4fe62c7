import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../core/errors.js';
import { createSessionId, toSessionId, type SessionId } from '../../../core/ids.js';
import {
  findSession,
  newestSession,
  projectFolder,
  readSession,
  type FoundSession,
} from '../../../journal/sessions/find-session.js';
import { forkSession } from '../../../journal/sessions/fork-session.js';
import { lockSession, type SessionLock } from '../../../journal/sessions/session-lock.js';
import type { SessionStart } from '../../contract/session-start.js';
import { toResumedSession, type ResumedSession } from '../../agents/session/resumed-session.js';

/** A session whose journal this process may write. */
export type OpenedSession = FoundSession & {
  readonly lock: SessionLock;
  /** Absent for a new session. */
  readonly resumed: ResumedSession | undefined;
  /** ID of the session that this one is a copy of. */
  readonly forkedFrom?: SessionId;
};

/**
 * Make the folder of a new session, or read the journal of a resumed one. This process is its only writer until the
 * lock is released.
 *
 * @param place `lock` is a lock of another session of this process
 * @throws UsageError, JournalDamagedError, ReplayDivergedError
 */
export function openSession(
  start: SessionStart,
  place: { readonly home: string; readonly cwd: string; readonly lock?: SessionLock | undefined },
): OpenedSession {
  const { home, cwd } = place;
  if (start.resume !== undefined && start.continues === true)
    throw new UsageError('Give resume or continues, not both.');
  const from =
    start.resume !== undefined
      ? findSession(home, start.resume)
      : start.continues === true
        ? newestSession(home, cwd)
        : undefined;
  if (from === undefined) {
    if (start.forks === true) throw new UsageError('A fork needs a session: give resume too.');
    const session = newSession(start.sessionId, place);
    return { ...session, lock: lockSession(session.directory, place.lock), resumed: undefined };
  }
  if (start.forks !== true) {
    if (start.sessionId !== undefined && start.sessionId !== from.id)
      throw new UsageError('A resumed session keeps its ID. Fork it to get another one.');
    return whileLocked(from, () => checkFolder(from, cwd));
  }
  checkFolder(from, cwd);
  const fork = newSession(start.sessionId, place);
  return { ...whileLocked(fork, () => forkSession(from, fork)), forkedFrom: from.id };
}

function whileLocked(
  { id, directory }: FoundSession,
  read: () => ReturnType<typeof readSession>,
): OpenedSession {
  const lock = lockSession(directory);
  try {
    return { id, directory, lock, resumed: toResumedSession(read()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function checkFolder(session: FoundSession, cwd: string): ReturnType<typeof readSession> {
  const origin = readSession(session);
  if (origin.cwd !== cwd)
    throw new UsageError(`The session ${session.id} works in ${origin.cwd}. Resume it there.`);
  return origin;
}

function newSession(
  wanted: string | undefined,
  { home, cwd }: { readonly home: string; readonly cwd: string },
): { readonly id: SessionId; readonly directory: string } {
  const id = wanted === undefined ? createSessionId() : toSessionId(wanted);
  if (id === null) throw new UsageError(`"${wanted}" is not a session ID: use a UUID.`);
  const directory = join(projectFolder(home, cwd), id);
  if (existsSync(directory))
    throw new UsageError(`There is a session ${id} already, in ${directory}. Use another ID.`);
  return { id, directory };
}
