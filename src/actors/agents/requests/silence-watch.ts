import { ModelSilentError } from '../../../model/errors/broken-reply-errors.js';
import type { Timers } from '../../services/timers.js';

/** The active request: its start, and its newest sign of life (epoch ms). */
export type Activity = { readonly startedAt: number; readonly lastEventAt: number | undefined };

export interface SilenceWatch {
  readonly activity: Activity;
  /** Note a sign of life. */
  heard(): void;
  stop(): void;
}

export type SilenceLimits = {
  /** Limit between two signs of life. */
  readonly idleMs: number;
  /** Limit until the first sign of life. */
  readonly firstMs: number;
};

/**
 * End a stream that is silent for too long. One timer serves a request: when it fires, it checks the silence so far,
 * and is set again for the remaining time.
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
