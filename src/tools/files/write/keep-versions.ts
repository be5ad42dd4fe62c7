import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Journal } from '../../../journal/journal.js';
import type { FileChange } from '../../capabilities/file-history.js';
import { digestOf } from '../access/known-file.js';

/** Most bytes of all earlier versions of a session; later ones are not kept. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Larger files are not kept. */
const MOST_FILE_BYTES = 16 * 1024 * 1024;

/** Lines about changes, in the folder of a session. */
export const HISTORY_FILE = 'files.jsonl';
/** The path of a content in the folder of a session. */
export const versionFile = (digest: string): string => `files/${digest}`;

type HistoryJournal = Pick<Journal, 'append' | 'pathOf'>;

/** Bytes of the kept versions, by journal. */
const kept = new WeakMap<HistoryJournal, number>();

/**
 * Write down changes, and keep the files as they are: content first, then its line, then the caller changes the file. A
 * killed process leaves at most a line about a change that did not happen.
 */
export function keepVersions(journal: HistoryJournal, changes: readonly FileChange[]): void {
  for (const { path, before, after } of changes) {
    const isKept = before === undefined || keepContent(journal, before);
    journal.append(HISTORY_FILE, {
      type: 'file.changing',
      path,
      before: before === undefined ? null : digestOf(before),
      after: after === undefined ? null : digestOf(after),
      isKept,
    });
  }
}

/** @returns whether it is kept */
function keepContent(journal: HistoryJournal, bytes: Uint8Array): boolean {
  if (bytes.length > MOST_FILE_BYTES) return false;
  const path = journal.pathOf(versionFile(digestOf(bytes)));
  if (existsSync(path)) return true;
  const total = (kept.get(journal) ?? bytesIn(dirname(path))) + bytes.length;
  if (total > MOST_BYTES) return false;
  const unfinished = `${path}.new`;
  try {
    writeFileSync(unfinished, bytes, { mode: 0o600 });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  kept.set(journal, total);
  return true;
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
