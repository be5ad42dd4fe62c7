import { untilAborted } from '../../core/until-aborted.js';
import type { Alarm } from './timers.js';

/**
 * Resolve with the result of `run`, unless it is late or aborted: then reject at once, with an Error of `tooLate` or
 * with the signal's reason, even if `run` ignores its signal.
 */
export async function raceDeadline<T>(
  run: (signal: AbortSignal) => T | Promise<T>,
  { timeoutMs, tooLate }: { readonly timeoutMs: number; readonly tooLate: string },
  timers: Alarm,
  signal: AbortSignal,
): Promise<T> {
  const late = new AbortController();
  const cancel = timers.after(timeoutMs, () => late.abort(new Error(tooLate)));
  const either = AbortSignal.any([signal, late.signal]);
  try {
    either.throwIfAborted();
    return await untilAborted(Promise.resolve(run(either)), either);
  } finally {
    cancel();
  }
}
