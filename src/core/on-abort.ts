/**
 * Call `stop` once when the signal aborts; at once, if it has.
 *
 * @returns a function that stops listening
 */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal?.aborted === true) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return () => signal?.removeEventListener('abort', stop);
}
