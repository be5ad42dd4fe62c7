import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { createSessionId, createTaskId, type SessionId } from '../../core/ids.js';
import { createJournal } from '../journal.js';
import type { FoundSession } from './find-session.js';
import { forkSession } from './fork-session.js';
import { copyUpTo } from './rewind.js';
import { keepParent } from './session-labels.js';
import { lockSession } from './session-lock.js';

/** The parts of a copy that are not those of every copy. */
export type CopyChoices = {
  /** A random ID if absent. */
  readonly id?: SessionId | undefined;
  /** ID of the message that the conversation of the copy ends with; the newest one if absent. */
  readonly upToMessageId?: string | undefined;
};

/**
 * Copy a session, without resuming the copy. The original may be in use; it does not change.
 *
 * @throws UsageError if there is no such message, or a session with this ID
 * @throws UsageError, JournalDamagedError as `readSession`
 */
export async function copySession(
  from: FoundSession,
  { id = createSessionId(), upToMessageId: messageId }: CopyChoices = {},
): Promise<FoundSession> {
  const directory = join(dirname(from.directory), id);
  if (existsSync(directory))
    throw new UsageError(`There is a session ${id} already, in ${directory}. Use another ID.`);
  const lock = lockSession(directory);
  const journal = createJournal({ directory, sessionId: id, now: Date.now });
  try {
    const { agentId } = forkSession(
      from,
      { id, directory },
      messageId === undefined
        ? undefined
        : (agent, copy) => copyUpTo(agent, copy, { sessionId: from.id, messageId }),
    );
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
