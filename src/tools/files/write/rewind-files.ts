import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../core/errors.js';
import { diffHunks } from '../../../core/text/diff-hunks.js';
import { FileEntry } from '../../../journal/entries/file-entries.js';
import { readJournal } from '../../../journal/read-journal.js';
import type { FileHistory } from '../../capabilities/file-history.js';
import { HISTORY_FILE, versionFile } from './keep-versions.js';
import { readWholeFile, type KnownFile } from '../access/known-file.js';
import { removeFile } from './remove-file.js';
import { replaceFile } from './replace-file.js';

/** Why a file stays as it is. */
const STAYS = {
  changed: 'something else has changed it since',
  lost: 'its earlier version is not kept: it, or all of them together, are too large',
} as const;

/** A file that gets its earlier content. */
type Restored = {
  readonly path: string;
  readonly now: KnownFile | undefined;
  /** Undefined: there was no file. */
  readonly content: Buffer | undefined;
};

/** The files that would get their earlier content, and those that stay as they are although tools have changed them. */
export type RewindPlan = {
  readonly restored: readonly Restored[];
  readonly staying: readonly { readonly path: string; readonly why: string }[];
};

/**
 * Compare the files that the tools of a session have changed with their content before a time.
 *
 * @param directory the folder of the session
 * @param since epoch ms
 * @throws JournalDamagedError
 */
export async function planRewind(directory: string, since: number): Promise<RewindPlan> {
  const restored: Restored[] = [];
  const staying: { path: string; why: string }[] = [];
  for (const [path, { first, last }] of await changesSince(directory, since)) {
    const { now, isFile } = await look(path);
    const digest = now?.state.digest ?? null;
    if (isFile && digest === first.before) continue;
    const isOurs = isFile && (digest === last.after || digest === last.before);
    const kept = join(directory, versionFile(first.before ?? ''));
    if (!isOurs) staying.push({ path, why: STAYS.changed });
    else if (first.before === null) restored.push({ path, now, content: undefined });
    else if (!first.isKept || !existsSync(kept)) staying.push({ path, why: STAYS.lost });
    else restored.push({ path, now, content: readFileSync(kept) });
  }
  return { restored, staying };
}

/** The first change of each file since a time, and its newest one. */
async function changesSince(directory: string, since: number) {
  const file = join(directory, HISTORY_FILE);
  const entries = existsSync(file) ? await readJournal(file, FileEntry) : [];
  const changes = new Map<string, { readonly first: FileEntry; readonly last: FileEntry }>();
  for (const entry of entries) {
    if (entry.timestamp < since) continue;
    const first = changes.get(entry.path)?.first ?? entry;
    changes.set(entry.path, { first, last: entry });
  }
  return changes;
}

/** The file of a path. `isFile` is false for a folder, a link, or anything that cannot be read. */
async function look(path: string): Promise<{ now: KnownFile | undefined; isFile: boolean }> {
  try {
    return { now: await readWholeFile(path, new AbortController().signal), isFile: true };
  } catch {
    return { now: undefined, isFile: false }; // the caller says that the path has changed
  }
}

/** Give files their earlier content, each one only if it is still as it was seen. @returns those that stay, and why */
export async function applyRewind(
  { restored, staying }: RewindPlan,
  history: FileHistory,
): Promise<RewindPlan> {
  const done: Restored[] = [];
  const left = [...staying];
  for (const one of restored) {
    try {
      await restore(one, history);
      done.push(one);
    } catch (error) {
      left.push({ path: one.path, why: messageOf(error) });
    }
  }
  return { restored: done, staying: left };
}

async function restore({ path, now, content }: Restored, history: FileHistory): Promise<void> {
  const { signal } = new AbortController();
  if (content !== undefined) await replaceFile(path, content, now, signal, { history });
  else if (now !== undefined) await removeFile(now, history);
}

/** Number of lines that a restored file gets and loses. */
export async function lineCounts({
  now,
  content,
}: Restored): Promise<{ readonly added: number; readonly removed: number }> {
  const [before, after] = [now?.bytes, content].map((bytes) => bytes?.toString('utf8') ?? '');
  const hunks = (await diffHunks(before ?? '', after ?? '')) ?? [];
  const count = (mark: string): number =>
    hunks.flatMap(({ lines }) => lines.filter((line) => line.startsWith(mark))).length;
  return { added: count('+'), removed: count('-') };
}
