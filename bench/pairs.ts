import { median, medianInterval } from './statistics.js';

/** The amounts that the floor and we took for the same work, one right after the other. */
export type Pair = { readonly floor: number; readonly ours: number };

/** Measures pairs; who goes first alternates, so that a machine that gets slower or faster favours nobody. */
export async function measurePairs<T>(
  count: number,
  measure: (who: 'floor' | 'ours') => Promise<T>,
): Promise<readonly { readonly floor: T; readonly ours: T }[]> {
  const pairs: { floor: T; ours: T }[] = [];
  for (let index = 0; index < count; index += 1) {
    if (index % 2 === 0) {
      const floor = await measure('floor');
      pairs.push({ floor, ours: await measure('ours') });
    } else {
      const ours = await measure('ours');
      pairs.push({ ours, floor: await measure('floor') });
    }
  }
  return pairs;
}

/** A table's cells: both medians, and the median of the pairs' ratios with its interval. */
export function describePairs(
  pairs: readonly Pair[],
  format: (value: number) => string,
): { readonly floor: string; readonly ours: string; readonly ratio: string } {
  return {
    floor: format(median(pairs.map(({ floor }) => floor))),
    ours: format(median(pairs.map(({ ours }) => ours))),
    ratio: describeRatios(ratiosOf(pairs)),
  };
}

function describeRatios(ratios: readonly number[]): string {
  const interval = medianInterval(ratios);
  const text = median(ratios).toFixed(2);
  if (interval === undefined) return `${text} (too few pairs for an interval)`;
  return `${text} [${interval.map((bound) => bound.toFixed(2)).join(', ')}]`;
}

/** Ours as a multiple of the floor, pair by pair. */
export function ratiosOf(pairs: readonly Pair[]): readonly number[] {
  return pairs.map(({ floor, ours }) => ours / floor);
}

export const inMs = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const inTimes = (value: number): string => `× ${value.toFixed(2)}`;
