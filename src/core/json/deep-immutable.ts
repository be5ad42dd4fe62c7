type Atom =
  string | number | boolean | bigint | symbol | null | undefined | ((...args: never[]) => unknown);

/**
 * `T`, read-only at every depth. Branded strings and functions do not change. The type does not cover a `Map`: state
 * for others uses records.
 */
export type DeepImmutable<T> = T extends Atom
  ? T
  : unknown extends T
    ? T
    : { readonly [K in keyof T]: DeepImmutable<T[K]> };
