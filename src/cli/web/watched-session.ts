import { setTimeout as wait } from 'node:timers/promises';
import { followJournal } from '../../api/follow-journal.js';
import type { ViewEvent } from '../../api/types.js';

const LOOK_EVERY_MS = 200;

/** The journal of one session in memory, for all pages that show it: read once, and on while a page looks. */
export interface WatchedSession {
  /** The events from a position on, in batches, until the signal aborts. */
  from(position: number, signal: AbortSignal): AsyncGenerator<readonly ViewEvent[]>;
}

export function watchSession(directory: string): WatchedSession {
  const follower = followJournal(directory);
  const events: ViewEvent[] = [];
  let reading: Promise<void> | undefined;
  /** Pages that look at the same time share one read. */
  const read = (): Promise<void> =>
    (reading ??= follower
      .next()
      .then((fresh) => void events.push(...fresh))
      .finally(() => (reading = undefined)));
  return {
    async *from(position, signal) {
      for (let next = position; !signal.aborted;) {
        await read();
        if (events.length > next) {
          yield events.slice(next);
          next = events.length;
        }
        await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
      }
    },
  };
}
