/** A value that is made on first use and kept. A failure is not kept: the next caller tries again. */
export interface Lazy<Value> {
  get(): Promise<Value>;
  /** The value, or the promise of it; undefined before the first use and after a failure. */
  readonly current: Promise<Value> | undefined;
}

export function lazily<Value>(make: () => Promise<Value>): Lazy<Value> {
  let current: Promise<Value> | undefined;
  return {
    get: () =>
      (current ??= make().catch((error: unknown) => {
        current = undefined;
        throw error;
      })),
    get current() {
      return current;
    },
  };
}

/** The same for a value that is made at once. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
