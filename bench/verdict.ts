import type { Line } from './row.js';
import { medianInterval } from './statistics.js';

/** `missed` and `met` are said only if the whole interval says so; `open` if it holds the goal, or there is no goal. */
export type Verdict = 'met' | 'missed' | 'open';

/** The verdict on a goal that the values must not exceed. Undefined for a line without a goal. */
export function verdictOf({ judged }: Line): Verdict | undefined {
  if (judged === undefined) return undefined;
  const interval = medianInterval(judged.values);
  if (interval === undefined) return 'open';
  const [low, high] = interval;
  if (low > judged.limit) return 'missed';
  return high <= judged.limit ? 'met' : 'open';
}
