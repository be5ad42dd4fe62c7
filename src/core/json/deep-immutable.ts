type Atom =
  string | number | boolean | bigint | symbol | null | undefined | ((...args: never[]) => unknown);

/**
 * `T`, read-only at every depth. Branded strings and functions pass through unchanged. It says nothing about a `Map`:
 * state that is handed out uses records.
 */
export type DeepImmutable<T> = T extends Atom
  ? T
  : unknown extends T
    ? T
    : { readonly [K in keyof T]: DeepImmutable<T[K]> };
