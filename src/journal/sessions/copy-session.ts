import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSessionId, createTaskId } from '../../core/ids.js';
import { createJournal } from '../journal.js';
import type { FoundSession } from './find-session.js';
import { forkSession } from './fork-session.js';
import { keepParent } from './session-labels.js';
import { lockSession } from './session-lock.js';

/**
 * Copy a session, without resuming the copy. The original may be in use; it does not change.
 *
 * @throws UsageError, JournalDamagedError as `readSession`
 */
export async function copySession(from: FoundSession): Promise<FoundSession> {
  const id = createSessionId();
  const directory = join(dirname(from.directory), id);
  const lock = lockSession(directory);
  const journal = createJournal({ directory, sessionId: id, now: Date.now });
  try {
    const { agentId } = forkSession(from, { id, directory });
    keepParent(journal, from.id);
    journal.append('tasks.jsonl', {
      type: 'task.status',
      id: createTaskId('session'),
      status: 'completed',
      kind: 'session',
      description: 'copy',
      agentId,
      isBackgrounded: false,
      outcome: { status: 'completed', result: `a copy of the session ${from.id}` },
    });
    await journal.sync('tasks.jsonl');
    return { id, directory };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  } finally {
    await journal.close();
    lock.release();
  }
}
