import { existsSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { given } from '../../core/json/given.js';
import { createJournal, type JournalLines } from '../journal.js';
import { readWholeJournal } from '../read-journal.js';
import type { FoundSession } from './find-session.js';
import { addTranscriptTitle } from '../storage/transcript.js';
import { lockFileWithin, type SessionLock } from './session-lock.js';

/** Lines about the session as a whole, by the process that holds it; there are few. */
const OWN_FILE = 'session.jsonl';
/** The same by other programs, also while the session runs. The file has its own lock. */
const ADDED_FILE = 'labels.jsonl';

/** Title, tag and origin of a session. */
export type SessionLabels = {
  /** Title that somebody gave the session. */
  readonly title?: string;
  /** Tag that somebody gave the session. */
  readonly tag?: string;
  /** ID of the session that this one is a copy of. */
  readonly parentSessionId?: string;
};

const timestamp = z.number();
const LabelEntry = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('session.titled'), title: z.string(), timestamp }),
    z.object({ type: z.literal('session.tagged'), tag: z.string().nullable(), timestamp }),
    z.object({ type: z.literal('session.forked'), from: z.string(), timestamp }),
  ]),
);
type Label =
  | { readonly type: 'session.titled'; readonly title: string }
  | { readonly type: 'session.tagged'; readonly tag: string | null };

/** Keep the title that the process of a session gives it. */
export function keepTitle(journal: JournalLines, title: string): void {
  journal.append(OWN_FILE, { type: 'session.titled', title } satisfies Label);
}

/** Keep the ID of the session that a fork is a copy of. */
export function keepParent(journal: JournalLines, from: string): void {
  journal.append(OWN_FILE, { type: 'session.forked', from });
}

/** The newest title, tag and origin of a session: a copy has the lines of the original before its own. @throws JournalDamagedError */
export function readLabels({ directory }: Pick<FoundSession, 'directory'>): SessionLabels {
  const entries = [OWN_FILE, ADDED_FILE]
    .map((name) => join(directory, name))
    .flatMap((file) => (existsSync(file) ? readWholeJournal(file, LabelEntry) : []))
    .toSorted((a, b) => a.timestamp - b.timestamp);
  const titled = entries.findLast((entry) => entry.type === 'session.titled');
  const tagged = entries.findLast((entry) => entry.type === 'session.tagged');
  const forked = entries.findLast((entry) => entry.type === 'session.forked');
  return given({
    title: titled?.title,
    tag: tagged?.tag ?? undefined,
    parentSessionId: forked?.from,
  });
}

/**
 * Give a session a title or a tag; it may be running. The order of sessions does not change.
 *
 * @throws UsageError if another process holds the labels for too long
 * @throws JournalWriteError
 */
export async function addLabel({ id, directory }: FoundSession, label: Label): Promise<void> {
  const lock = await lockLabels({ directory });
  const journal = createJournal({ directory, sessionId: id, now: Date.now });
  try {
    const { atime, mtime } = statSync(directory);
    journal.append(ADDED_FILE, label);
    if (label.type === 'session.titled') addTranscriptTitle(directory, id, label.title);
    utimesSync(directory, atime, mtime); // a new file is no opening of the session
  } finally {
    lock.release();
  }
  await journal.sync(ADDED_FILE).finally(() => journal.close());
}

const LONGEST_WAIT_MS = 2_000;

/** Make this process the only writer of the labels. Others keep the lock for one line only. */
export function lockLabels({ directory }: Pick<FoundSession, 'directory'>): Promise<SessionLock> {
  return lockFileWithin(`${directory}.lock`, LONGEST_WAIT_MS);
}
