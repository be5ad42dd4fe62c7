import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { FoundSession } from './find-session.js';
import type { JournalLines } from '../journal.js';
import { readWholeJournal } from '../read-journal.js';

/** Lines about the session as a whole; there are few. */
const FILE = 'session.jsonl';

const TitledEntry = z.object({ type: z.literal('session.titled'), title: z.string() });

/** The newest title counts. */
export function keepTitle(journal: JournalLines, title: string): void {
  journal.append(FILE, { type: 'session.titled', title });
}

/** The title of a session; undefined if it has none. @throws JournalDamagedError */
export function titleOf({ directory }: Pick<FoundSession, 'directory'>): string | undefined {
  const file = join(directory, FILE);
  return existsSync(file) ? readWholeJournal(file, TitledEntry).at(-1)?.title : undefined;
}
