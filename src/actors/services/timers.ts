import TinyQueue from 'tinyqueue';
import type { Clock } from '../../core/time/clock.js';
import { LONGEST_TIMER_MS } from '../../core/time/duration.js';
import { atOnce } from '../../tools/calls/tool-answers.js';
import { toldOnce } from './told-once.js';

/** A clock. */
export interface TimeSource {
  /** Epoch ms. */
  now(): number;
}

/** Measures durations. */
export interface Stopwatch {
  /** Start to measure: the returned function returns the whole ms since then, even if the clock was set meanwhile. */
  stopwatch(): () => number;
}

/** Calls back later. */
export interface Alarm {
  /**
   * Call back once; the returned function cancels that. Callbacks with the same time are called in the order of their
   * entry.
   */
  after(delayMs: number, callback: () => void): () => void;
}

/** Time for a whole tree of actors: one heap over one clock, so that tests can use a simulated one. */
export interface Timers extends TimeSource, Stopwatch, Alarm {
  /** Resolve after the delay; reject with the signal's reason. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Cancel all callbacks. */
  close(): void;
}

type Entry = { readonly at: number; readonly order: number; callback: (() => void) | undefined };

/** @param elapsed ms since a fixed moment, for delays and durations: unlike the clock of `now`, nobody can set it */
export function createTimers({
  clock,
  now,
  elapsed = now,
}: {
  clock: Clock;
  now: () => number;
  elapsed?: () => number;
}): Timers {
  const heap = new TinyQueue<Entry>([], (a, b) => a.at - b.at || a.order - b.order);
  let order = 0;
  let armed: { readonly handle: unknown; readonly at: number } | undefined;

  const disarm = (): void => {
    if (armed !== undefined) clock.clearTimeout(armed.handle);
    armed = undefined;
  };

  const arm = (): void => {
    while (heap.peek()?.callback === undefined && heap.length > 0) heap.pop(); // cancelled
    const first = heap.peek();
    if (first === undefined) return disarm();
    if (armed !== undefined && armed.at <= first.at) return;
    disarm();
    const delayMs = Math.min(Math.max(0, Math.ceil(first.at - elapsed())), LONGEST_TIMER_MS); // when it fires, it is armed again
    const handle = clock.setTimeout(fire, delayMs);
    armed = { handle, at: first.at };
  };

  const fire = (): void => {
    armed = undefined;
    const time = elapsed();
    for (let first = heap.peek(); first !== undefined && first.at <= time; first = heap.peek()) {
      heap.pop();
      first.callback?.();
    }
    arm();
  };

  const timers: Timers = {
    now,
    stopwatch() {
      const begin = elapsed();
      return () => Math.floor(elapsed() - begin);
    },
    after(delayMs, callback) {
      const entry: Entry = { at: elapsed() + delayMs, order: (order += 1), callback };
      heap.push(entry);
      arm();
      return () => {
        entry.callback = undefined;
        if (heap.peek() === entry) arm();
      };
    },
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const stop = (): void => {
          cancel();
          reject(signal.reason as Error);
        };
        const cancel = timers.after(delayMs, () => {
          signal.removeEventListener('abort', stop);
          resolve();
        });
        signal.addEventListener('abort', stop, { once: true });
      }),
    close() {
      while (heap.length > 0) heap.pop();
      disarm();
    },
  };
  return timers;
}

/** Read a clock of the program. If it throws or returns no number, its last time is returned. */
export function readingOf(clock: () => number): () => number {
  let newest = Date.now();
  const read = toldOnce('The function `now`', () => {
    const time = atOnce(clock());
    if (typeof time !== 'number' || !Number.isFinite(time))
      throw new TypeError('it returned no number');
    newest = time;
  });
  return () => {
    read();
    return newest;
  };
}

/** The clock of the process. */
export const globalClock: Clock = {
  setTimeout: (callback: () => void, delayMs: number): unknown => setTimeout(callback, delayMs),
  clearTimeout: (handle: unknown): void => clearTimeout(handle as NodeJS.Timeout), // a handle of setTimeout above
};
