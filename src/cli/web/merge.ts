/** Yield the values of all generators, each as soon as it comes. Ends with the last of them, and ends them with itself. */
export async function* merge<Value>(
  generators: readonly AsyncGenerator<Value>[],
): AsyncGenerator<Value> {
  const next = async (from: AsyncGenerator<Value>) => ({ from, result: await from.next() });
  const waiting = new Map(generators.map((from) => [from, next(from)]));
  try {
    while (waiting.size > 0) {
      const { from, result } = await Promise.race(waiting.values());
      if (result.done === true) waiting.delete(from);
      else {
        waiting.set(from, next(from));
        yield result.value;
      }
    }
  } finally {
    for (const [from, promise] of waiting) {
      promise.catch(() => {}); // nobody waits for it any more
      void from.return(undefined);
    }
  }
}
