import { setTimeout } from 'node:timers/promises';
import { signalProcess, type FoundProcess, type ProcessTable } from './process-table.js';

const EMPTY_LOOKS = 2;
const SHORTEST_PAUSE_MS = 1;
/** A process in an uninterruptible wait cannot be ended: signals are repeated, more and more rarely. */
const LONGEST_PAUSE_MS = 100;

/**
 * Kill every matching process and resolve when two looks in a row find none: a process that was being forked during the
 * first look is there in the second. Resolves with the number of killed processes.
 */
export async function sweep(
  table: ProcessTable,
  matches: (found: FoundProcess) => boolean,
): Promise<number> {
  const killed = new Set<string>();
  let pauseMs = SHORTEST_PAUSE_MS;
  for (let emptyLooks = 0; emptyLooks < EMPTY_LOOKS;) {
    const found = (await table.look()).filter(matches);
    if (found.length === 0) {
      emptyLooks += 1;
      continue;
    }
    emptyLooks = 0;
    for (const each of found) {
      if (signalProcess(each, 'SIGKILL')) killed.add(`${each.pid}/${each.startTime}`);
    }
    await setTimeout(pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
  return killed.size;
}

/** Send SIGTERM to matching processes, once each, and wait for their end, at most `graceMs`. */
export async function askToEnd(
  table: ProcessTable,
  matches: (found: FoundProcess) => boolean,
  { graceMs, isAsked }: { graceMs: number; isAsked: (found: FoundProcess) => boolean },
): Promise<void> {
  const asked = new Set<string>();
  const deadline = performance.now() + graceMs;
  for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs *= 2) {
    const found = (await table.look()).filter(matches);
    if (found.length === 0) return;
    for (const each of found) {
      const identity = `${each.pid}/${each.startTime}`;
      if (!asked.has(identity) && !isAsked(each)) signalProcess(each, 'SIGTERM');
      asked.add(identity);
    }
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return;
    await setTimeout(Math.min(pauseMs, leftMs));
  }
}
