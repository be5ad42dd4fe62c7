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

  async function* read(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      while (count > 0) {
        if (taken === oldest.length) load();
        const value = oldest[taken] as T; // the length was checked
        taken += 1;
        count -= 1;
        yield value;
      }
      if (isEnded) return file?.close();
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }

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
    [Symbol.asyncIterator]: read,
  };
}
