import { renameSync, rmSync } from 'node:fs';
import type { FoundSession } from './find-session.js';
import { lockLabels } from './session-labels.js';
import { lockSession } from './session-lock.js';

/**
 * Remove the folder of a session. It leaves the list at once, before its files are removed.
 *
 * @throws UsageError if a process holds the session
 */
export async function removeSession({ directory }: FoundSession): Promise<void> {
  const labels = await lockLabels({ directory });
  try {
    const lock = lockSession(directory);
    try {
      const removed = `${directory}.removed`;
      renameSync(directory, removed); // with the lock
      rmSync(removed, { recursive: true, force: true });
    } finally {
      lock.release();
    }
  } finally {
    labels.release();
  }
}
