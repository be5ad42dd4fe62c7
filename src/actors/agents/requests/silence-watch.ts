import { ModelSilentError } from '../../../model/errors/model-silent-error.js';
import type { Timers } from '../../services/timers.js';

/** The request under way: since when, and when the newest sign of life came (epoch ms). */
export type Activity = { readonly startedAt: number; readonly lastEventAt: number | undefined };

export interface SilenceWatch {
  readonly activity: Activity;
  /** A sign of life came. */
  heard(): void;
  stop(): void;
}

export type SilenceLimits = {
  /** From one sign of life to the next. */
  readonly idleMs: number;
  /** Until the first one. */
  readonly firstMs: number;
};

/**
 * Ends a stream that says nothing for too long. There is one timer a request: when it rings, it looks how long the
 * silence has been, and is set again for what is left.
 */
export function watchSilence(
  { idleMs, firstMs }: SilenceLimits,
  timers: Timers,
  onSilent: (error: ModelSilentError) => void,
): SilenceWatch {
  const elapsed = timers.stopwatch();
  const activity = { startedAt: timers.now(), lastEventAt: undefined as number | undefined };
  let heardAt = 0;
  let cancel = (): void => {};
  const arm = (delayMs: number): void => {
    cancel = timers.after(delayMs, look);
  };
  const look = (): void => {
    const hasBegun = activity.lastEventAt !== undefined;
    const silentMs = elapsed() - heardAt;
    const leftMs = (hasBegun ? idleMs : firstMs) - silentMs;
    if (leftMs <= 0) return onSilent(new ModelSilentError(silentMs, hasBegun));
    arm(Math.min(leftMs, idleMs)); // the first sign of life may come at any time
  };
  arm(Math.min(firstMs, idleMs));
  return {
    activity,
    heard() {
      activity.lastEventAt = timers.now();
      heardAt = elapsed();
    },
    stop: () => cancel(),
  };
}
