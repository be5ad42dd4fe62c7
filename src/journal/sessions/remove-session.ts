import { renameSync, rmSync } from 'node:fs';
import { UsageError } from '../../core/errors.js';
import { transcriptFile } from '../storage/transcript.js';
import type { FoundSession } from './find-session.js';
import { lockLabels } from './session-labels.js';
import { lockSession, readLock } from './session-lock.js';

/**
 * Remove the folder of a session and its transcript. It leaves the list at once, before its files are removed.
 *
 * @throws UsageError if a process holds the session
 */
export async function removeSession({ id, directory }: FoundSession): Promise<void> {
  const holder = readLock(directory);
  if (holder?.state === 'live')
    throw new UsageError(`The session ${id} is in use by process ${holder.pid}. End it first.`);
  const labels = await lockLabels({ directory });
  try {
    const lock = lockSession(directory);
    try {
      const removed = `${directory}.removed`;
      rmSync(transcriptFile(directory), { force: true });
      renameSync(directory, removed); // with the lock
      rmSync(removed, { recursive: true, force: true });
    } finally {
      lock.release();
    }
  } finally {
    labels.release();
  }
}
