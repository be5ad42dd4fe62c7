/**
 * Hand out the events of a stream until the signal is aborted: then reject with its reason at once, whether or not
 * whoever streams looks at the signal. The stream is told that nobody reads on, unless it has ended.
 *
 * @param opening the stream, or the promise of it
 */
export async function* untilAborted<T>(
  opening: AsyncIterable<T> | Promise<AsyncIterable<T>>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  let stop = (): void => {};
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  over.catch(() => {}); // told by the races
  try {
    const stream = await Promise.race([opening, over]);
    const iterator = stream[Symbol.asyncIterator]();
    let isAtEvent = false;
    try {
      for (;;) {
        isAtEvent = false;
        const next = await Promise.race([iterator.next(), over]);
        if (next.done === true) return;
        isAtEvent = true;
        yield next.value;
      }
    } finally {
      if (isAtEvent) await Promise.race([iterator.return?.(), over]);
      else if (signal.aborted) void iterator.return?.().catch(() => {}); // it may never answer
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
