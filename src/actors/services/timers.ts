import TinyQueue from 'tinyqueue';
import type { Clock } from '../../core/time/clock.js';
import { LONGEST_TIMER_MS } from '../../core/time/duration.js';
import { atOnce } from '../../tools/calls/tool-answers.js';
import { toldOnce } from './told-once.js';

/** Tells the time. */
export interface TimeSource {
  /** Epoch ms. */
  now(): number;
}

/** Measures spans. */
export interface Stopwatch {
  /** Starts to measure: the returned function says how many whole ms have gone by, however the clock was set meanwhile. */
  stopwatch(): () => number;
}

/** Calls back later. */
export interface Alarm {
  /** Calls back once; the returned function takes it back. A later entry with the same time comes later. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Time for a whole tree of actors: one heap over one clock, so that tests can use a simulated one. */
export interface Timers extends TimeSource, Stopwatch, Alarm {
  /** Resolves after the delay; rejects with the signal's reason. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Takes everything back. */
  close(): void;
}

type Entry = { readonly at: number; readonly order: number; callback: (() => void) | undefined };

/** @param elapsed ms since some moment, by which delays and spans are measured: unlike `now`, whose clock may be set */
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
    while (heap.peek()?.callback === undefined && heap.length > 0) heap.pop(); // taken back
    const first = heap.peek();
    if (first === undefined) return disarm();
    if (armed !== undefined && armed.at <= first.at) return;
    disarm();
    const delayMs = Math.min(Math.max(0, Math.ceil(first.at - elapsed())), LONGEST_TIMER_MS); // then it is armed anew
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

/** A clock of the program. If it throws or says no number, its newest time counts. */
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

/** The process's own. */
export const globalClock: Clock = {
  setTimeout: (callback: () => void, delayMs: number): unknown => setTimeout(callback, delayMs),
  clearTimeout: (handle: unknown): void => clearTimeout(handle as NodeJS.Timeout), // what it was given
};
