import { createSpillFile, type Piece, type SpillFile } from './spill-file.js';

/** Pass values on to one reader, in order, at any rate. */
export interface MessageQueue<T> extends AsyncIterable<T> {
  /** Add a value. After `end` this has no effect. */
  push(value: T): void;
  /** End the queue: the reader gets the remaining values, then the end. */
  end(): void;
}

export type MessageQueueOptions<T> = {
  /** Whether a value is part of a later, complete value; such values are left out while a thousand values wait. */
  readonly isPartial?: (value: T) => boolean;
  /** The value in place of the values that were left out. */
  readonly toGap?: (count: number) => T;
};

/** Values that go to the file, and come back, together. */
const CHUNK = 500;
/** While this many values wait, partial values are left out. */
const MOST_WITH_PARTS = 1_000;

/**
 * A queue of JSON values with one reader; a second reader would share the values with the first. If the reader is slow
 * or missing, the oldest and the newest values stay in memory and the others wait in a file. Only partial values are
 * ever left out.
 */
export function createMessageQueue<T>({
  isPartial = () => false,
  toGap,
}: MessageQueueOptions<T> = {}): MessageQueue<T> {
  let oldest: readonly T[] = [];
  let taken = 0;
  /** Holds the values themselves if the file cannot be written. */
  const between: (Piece | readonly T[])[] = [];
  let newest: T[] = [];
  let file: SpillFile | undefined;
  let count = 0;
  let leftOut = 0;
  let isEnded = false;
  let waiting: (() => void)[] = [];

  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };

  const put = (value: T): void => {
    newest.push(value);
    count += 1;
    if (newest.length < CHUNK) return;
    between.push(taken === oldest.length && between.length === 0 ? newest : spill(newest));
    newest = [];
  };

  const spill = (values: readonly T[]): Piece | readonly T[] => {
    try {
      file ??= createSpillFile();
      return file.write(JSON.stringify(values));
    } catch {
      return values; // the disk is full, so they stay in memory
    }
  };

  const closeGap = (): void => {
    if (leftOut === 0) return;
    const gap = toGap?.(leftOut);
    leftOut = 0;
    if (gap !== undefined) put(gap);
  };

  const load = (): void => {
    const chunk = between.shift();
    taken = 0;
    if (chunk === undefined) {
      oldest = newest;
      newest = [];
    } else oldest = 'position' in chunk ? (JSON.parse(file?.read(chunk) ?? '[]') as T[]) : chunk; // the file returns the written values
  };

  /** Undefined while a value may come. */
  const next = (): IteratorResult<T, void> | undefined => {
    if (count === 0 && !isEnded) return undefined;
    if (count === 0) {
      file?.close();
      return END;
    }
    if (taken === oldest.length) load();
    const value = oldest[taken] as T; // there is a value
    taken += 1;
    count -= 1;
    return { value, done: false };
  };
  const change = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));

  return {
    push(value) {
      if (isEnded) return;
      if (count >= MOST_WITH_PARTS && isPartial(value)) {
        leftOut += 1;
        return;
      }
      closeGap();
      put(value);
      wake();
    },
    end() {
      closeGap();
      isEnded = true;
      wake();
    },
    [Symbol.asyncIterator]: () => createReader(next, change, wake),
  };
}

const END = { value: undefined, done: true } as const;

/** A generator would cost each value three promises. */
function createReader<T>(
  next: () => IteratorResult<T, void> | undefined,
  change: () => Promise<void>,
  wake: () => void,
): AsyncIterator<T, void> {
  let isLeft = false;
  return {
    async next() {
      for (;;) {
        const result = isLeft ? END : next();
        if (result !== undefined) return result;
        await change();
      }
    },
    return() {
      isLeft = true;
      wake();
      return Promise.resolve(END);
    },
  };
}
