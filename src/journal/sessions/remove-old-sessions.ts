import { readdirSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.js';
import { allSessions, type FoundSession } from './find-session.js';
import { removeSession } from './remove-session.js';
import { readLock } from './session-lock.js';

/**
 * Remove the sessions of a home whose journal was written last before a time. A session that a process holds stays,
 * whichever machine the process is of.
 *
 * @returns why sessions could not be removed, one line each
 */
export async function removeOldSessions(home: string, before: number): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const session of allSessions(home)) {
    await setImmediate();
    try {
      if (isHeld(session) || writtenAt(session) >= before) continue;
      await removeSession(session);
    } catch (error) {
      problems.push(`The old session ${session.id} is not removed: ${messageOf(error)}`);
    }
  }
  return problems;
}

function isHeld({ directory }: FoundSession): boolean {
  const state = readLock(directory)?.state;
  return state === 'live' || state === 'unknown';
}

/** The newest time of the folder and its files, epoch ms. */
function writtenAt({ directory }: FoundSession): number {
  const paths = [directory, ...readdirSync(directory).map((name) => join(directory, name))];
  return Math.max(...paths.map((path) => statSync(path).mtimeMs));
}
