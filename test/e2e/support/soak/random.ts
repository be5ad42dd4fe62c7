/** Numbers that a seed decides: the same seed gives the same run again. */
export type Random = {
  /** An integer from 0 up to, and without, `end`. */
  below(end: number): number;
  shuffle<T>(items: readonly T[]): readonly T[];
};

/** Mulberry32: small, and good enough to choose where to kill. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    shuffle(items) {
      const left = [...items];
      return items.map(() => left.splice(below(left.length), 1)[0] as (typeof items)[number]); // as many as items
    },
  };
}
