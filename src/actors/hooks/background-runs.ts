import type { Alarm } from '../services/timers.js';

/** The runs of hooks that nobody waits for. */
export interface BackgroundRuns {
  add(run: Promise<unknown>, stop: AbortController): void;
  /** Cancel all runs, and wait for their ends. */
  end(): Promise<void>;
}

/** The reason of a run that the end of its session cuts off. */
const ENDED = new DOMException('it was still running when the session ended', 'AbortError');

/** Whether the end of the session has cut off a run in the background. */
export function isCutByEnd({ reason }: AbortSignal): boolean {
  return reason === ENDED;
}

export function createBackgroundRuns(): BackgroundRuns {
  const live = new Map<Promise<unknown>, AbortController>();
  return {
    add(run, stop) {
      live.set(run, stop);
      whenOver(run, () => live.delete(run));
    },
    async end() {
      const runs = [...live.keys()];
      for (const stop of live.values()) stop.abort(ENDED);
      await Promise.allSettled(runs);
    },
  };
}

/** How long the end of a session waits for hooks that only watch, ms. */
const LONGEST_END_MS = 10_000;

/** The runs of hooks that began before the end of their session, such as those for its last message. */
export function createLiveRuns(timers: Alarm) {
  const live = new Set<Promise<unknown>>();
  return {
    add<Run extends Promise<unknown>>(run: Run): Run {
      live.add(run);
      whenOver(run, () => live.delete(run));
      return run;
    },
    /** Wait for their ends, for a while. */
    async end(): Promise<void> {
      let cancel = (): void => {};
      const late = new Promise<void>((resolve) => {
        cancel = timers.after(LONGEST_END_MS, resolve);
      });
      await Promise.race([Promise.allSettled(live), late]);
      cancel();
    },
  };
}

function whenOver(run: Promise<unknown>, forget: () => unknown): void {
  run.then(forget, forget);
}
