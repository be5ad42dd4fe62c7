import { ModelSilentError } from '../../model/model-silent-error.js';
import type { Timers } from '../timers.js';

/** The request under way: since when, and when the newest sign of life came (epoch ms). */
export type Activity = { readonly startedAt: number; lastEventAt: number | undefined };

export type SilenceLimits = {
  /** From one sign of life to the next. */
  readonly idleMs: number;
  /** Until the first one. */
  readonly firstMs: number;
};

/**
 * Ends a stream that says nothing for too long. There is one timer a request: when it rings, it looks how long the
 * silence has been, and is set again for what is left.
 *
 * @returns how to stop watching
 */
export function watchSilence(
  activity: Activity,
  { idleMs, firstMs }: SilenceLimits,
  timers: Timers,
  onSilent: (error: ModelSilentError) => void,
): () => void {
  let cancel = (): void => {};
  const arm = (delayMs: number): void => {
    cancel = timers.after(delayMs, look);
  };
  const look = (): void => {
    const { startedAt, lastEventAt } = activity;
    const hasBegun = lastEventAt !== undefined;
    const silentMs = timers.now() - (lastEventAt ?? startedAt);
    const leftMs = (hasBegun ? idleMs : firstMs) - silentMs;
    if (leftMs <= 0) return onSilent(new ModelSilentError(silentMs, hasBegun));
    arm(Math.min(leftMs, idleMs)); // the first sign of life may come at any time
  };
  arm(Math.min(firstMs, idleMs));
  return () => cancel();
}
