import { setImmediate } from 'node:timers/promises';

/** Events that a reader may take without a promise, as far as they have come. */
export type ReadyEvents<T> = AsyncIterable<T> & {
  /** The next event, if it has come. */
  takeReady?(): T | undefined;
};

/** Takes the next event, and says whether it wants another one. */
export type TakeEvent<T> = (event: T) => boolean | Promise<boolean>;

/**
 * Read a stream until it ends, until `take` wants no more, or until the signal is aborted. An abort rejects with its reason
 * at once, whether or not the stream checks the signal, but not before `take` has finished its event. A stream that has not
 * ended is left. An event costs no promise except the stream's own: there are thousands of them in a reply.
 *
 * @param opening the stream, or the promise of it
 * @returns whether the stream has ended
 * @throws what the stream, its opening or `take` throws, or the reason of the signal
 */
export function readUntilAborted<T>(
  opening: ReadyEvents<T> | Promise<ReadyEvents<T>>,
  signal: AbortSignal,
  take: TakeEvent<T>,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let iterator: AsyncIterator<T> | undefined;
    let isTaking = false;
    /** `signal.aborted` is slow to read, and there are two reads for each event. */
    let isAborted = signal.aborted;

    /** The stream may never answer. */
    const leave = (): void => void iterator?.return?.().catch(() => {});
    const stop = (): void => {
      reject(signal.reason as Error);
      leave();
    };
    const onAbort = (): void => {
      isAborted = true;
      if (!isTaking) stop();
    };
    const readAll = async (): Promise<boolean> => {
      const events = await opening;
      iterator = events[Symbol.asyncIterator]();
      for (let count = 1; ; count += 1) {
        if (isAborted) break;
        const ready = events.takeReady?.();
        const { done, value } = ready === undefined ? await iterator.next() : { value: ready };
        if (isAborted || done === true) return true;
        isTaking = true;
        if (count % EVENTS_IN_A_ROW === 0) await setImmediate();
        const taken = take(value);
        const wantsMore = typeof taken === 'boolean' ? taken : await taken;
        isTaking = false;
        if (!wantsMore) break;
      }
      if (isAborted) stop();
      else await iterator.return?.();
      return false;
    };
    const read = async (): Promise<void> => {
      try {
        resolve(await readAll());
      } catch (error) {
        if (isTaking) leave();
        reject(error as Error);
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    };

    signal.addEventListener('abort', onAbort);
    if (isAborted) onAbort();
    void read();
  });
}

/** Events of a stream that never waits before the event loop runs other work. */
const EVENTS_IN_A_ROW = 500;
