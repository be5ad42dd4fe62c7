/** @throws RangeError if there are no values */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Between two neighbours by their distance. @param rank 0 to 100 */
export function percentile(values: readonly number[], rank: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (rank / 100) * (sorted.length - 1);
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  if (low === undefined || high === undefined) throw new RangeError('No values were measured.');
  return low + (high - low) * (at - Math.floor(at));
}

/**
 * Holds the median of what the values were drawn from with a chance of at least 95 %, whatever their distribution: the
 * k-th smallest and the k-th largest value. Undefined for fewer than six.
 */
export function medianInterval(values: readonly number[]): readonly [number, number] | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  let outside = 0; // chance that fewer than k + 1 of the values lie below the median
  let ways = 1;
  let k = 0;
  for (; k < count; k += 1) {
    outside += ways / 2 ** count;
    if (outside > 0.025) break;
    ways = (ways * (count - k)) / (k + 1);
  }
  const low = sorted[k - 1];
  const high = sorted[count - k];
  return low === undefined || high === undefined ? undefined : [low, high];
}
