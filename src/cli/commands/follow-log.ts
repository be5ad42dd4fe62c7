import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FoundSession, LogEntry } from '../../api/types.js';
import { readLog } from '../../api/sessions/journal.js';
import { readLock } from '../../api/sessions/sessions.js';

const LOOK_EVERY_MS = 250;

/**
 * The log of a session in batches, until no process holds the session. A line that is being written is not damage: damage
 * is reported at the end.
 */
export async function* followLog(
  found: FoundSession,
  { agent }: { readonly agent: string | undefined },
): AsyncGenerator<{ readonly all: readonly LogEntry[]; readonly fresh: readonly LogEntry[] }> {
  const told = new Set<string>();
  let size = -1;
  for (;;) {
    const lock = readLock(found.directory);
    const isHeld = lock !== undefined && lock.state !== 'stale'; // before the files are read, so that no last line is missed
    const newSize = sizeOf(found.directory);
    if (newSize !== size || !isHeld) {
      size = newSize;
      const all = readLog(found, { agent }).filter(({ type }) => !isHeld || type !== 'damaged');
      const fresh = takeFresh(all, told);
      if (fresh.length > 0) yield { all, fresh };
    }
    if (!isHeld) return;
    await wait(LOOK_EVERY_MS);
  }
}

/** Entries that were not shown yet; the same text twice is two entries. */
function takeFresh(all: readonly LogEntry[], told: Set<string>): readonly LogEntry[] {
  const counts = new Map<string, number>();
  return all.filter((entry) => {
    const text = JSON.stringify(entry);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    const key = `${count} ${text}`;
    if (told.has(key)) return false;
    told.add(key);
    return true;
  });
}

/** The total size of all files with entries: they only grow. */
function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
