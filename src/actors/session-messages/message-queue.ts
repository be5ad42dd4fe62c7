/** Hands values on to one reader, in order, however fast they come. */
export interface MessageQueue<T> extends AsyncIterable<T> {
  /** After `end` it changes nothing. */
  push(value: T): void;
  /** The reader gets what is left, then the end. */
  end(): void;
}

/** An unbounded queue with one reader: a second one would share the values with the first. */
export function createMessageQueue<T>(): MessageQueue<T> {
  const values: T[] = [];
  let isEnded = false;
  let wake = (): void => {};

  async function* read(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      while (values.length > 0) yield values.shift() as T; // just counted
      if (isEnded) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    push(value) {
      if (isEnded) return;
      values.push(value);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    [Symbol.asyncIterator]: read,
  };
}
