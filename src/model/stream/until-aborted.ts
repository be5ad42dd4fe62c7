/**
 * Yield the events of a stream until the signal is aborted. Then reject with its reason at once, whether or not the
 * stream checks the signal, and end the stream unless it has ended. An event costs one promise: there are thousands of
 * them in a reply.
 *
 * @param opening the stream, or the promise of it
 */
export function untilAborted<T>(
  opening: AsyncIterable<T> | Promise<AsyncIterable<T>>,
  signal: AbortSignal,
): AsyncIterableIterator<T> {
  let iterator: AsyncIterator<T> | undefined;
  let giveUp: ((reason: Error) => void) | undefined;

  const end = (): void => signal.removeEventListener('abort', onAbort);
  const onAbort = (): void => {
    end();
    if (giveUp === undefined) return; // no reader waits: the next call rejects
    giveUp(signal.reason as Error);
    leave();
  };
  /** The stream may never answer. */
  const leave = (): void => void iterator?.return?.().catch(() => {});
  const orAborted = <V>(settling: Promise<V>, onSettled: (value: V) => void): Promise<V> =>
    new Promise((resolve, reject) => {
      giveUp = reject;
      settling.then(
        (value) => {
          giveUp = undefined;
          onSettled(value);
          return resolve(value);
        },
        (error: unknown) => {
          giveUp = undefined;
          end();
          reject(error as Error);
        },
      );
      if (signal.aborted) onAbort();
    });
  const open = async (): Promise<AsyncIterator<T>> => (await opening)[Symbol.asyncIterator]();
  const enter = (opened: AsyncIterator<T>): void => {
    iterator = opened;
    if (signal.aborted) leave(); // opened too late
  };
  const endIfDone = ({ done }: IteratorResult<T>): void => {
    if (done === true) end();
  };

  signal.addEventListener('abort', onAbort);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (iterator !== undefined) return orAborted(iterator.next(), endIfDone);
      return orAborted(open(), enter).then((opened) => orAborted(opened.next(), endIfDone));
    },
    async return() {
      end();
      const returned = iterator?.return?.();
      if (returned !== undefined) await orAborted(returned, () => {});
      return { done: true, value: undefined };
    },
  };
}
