import type { Alarm } from './timers.js';

/**
 * What `run` resolves with, unless it takes too long or is aborted: then this rejects at once, with an Error that says
 * `tooLate` or with the signal's reason, whether or not `run` listens to the signal that it is given.
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
  let stop = (): void => {};
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(either.reason as Error);
    either.addEventListener('abort', stop, { once: true });
  });
  over.catch(() => {}); // told by the race
  try {
    either.throwIfAborted();
    return await Promise.race([run(either), over]);
  } finally {
    cancel();
    either.removeEventListener('abort', stop);
  }
}
