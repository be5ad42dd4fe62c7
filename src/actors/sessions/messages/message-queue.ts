import { createSpillFile, type Piece, type SpillFile } from './spill-file.js';

/** Hands values on to one reader, in order, however fast they come. */
export interface MessageQueue<T> extends AsyncIterable<T> {
  /** After `end` it changes nothing. */
  push(value: T): void;
  /** The reader gets what is left, then the end. */
  end(): void;
}

export type MessageQueueOptions<T> = {
  /** A piece of something that comes whole later: left out while a thousand values wait. */
  readonly isPartial?: (value: T) => boolean;
  /** What stands in the place of so many pieces. */
  readonly toGap?: (count: number) => T;
};

/** So many go to the file together, and come back together. */
const CHUNK = 500;
/** While so many wait, partial values are left out. */
const MOST_WITH_PARTS = 1_000;

/**
 * A queue of JSON values with one reader: a second one would share the values with the first. Where the reader is slow, or
 * there is none, the oldest and the newest stay in memory and what is between them waits in a file; only partial values
 * are ever left out.
 */
export function createMessageQueue<T>({
  isPartial = () => false,
  toGap,
}: MessageQueueOptions<T> = {}): MessageQueue<T> {
  let oldest: readonly T[] = [];
  let taken = 0;
  /** In memory again where the file cannot be written. */
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
      return values; // a disk without room: memory has to do
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
    } else oldest = 'position' in chunk ? (JSON.parse(file?.read(chunk) ?? '[]') as T[]) : chunk; // what was put in
  };

  async function* read(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      while (count > 0) {
        if (taken === oldest.length) load();
        const value = oldest[taken] as T; // just counted
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
