import { onAbort } from './on-abort.js';

/** Reject with the reason of the signal when it aborts, whether or not the work notices the abort. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason as Error));
    work.then(resolve, reject).finally(stopListening);
  });
}
