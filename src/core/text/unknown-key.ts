import { nearestName } from './nearest-name.js';

/** Least number of letters in an abbreviated name. */
const LEAST_BEGINNING = 3;

/** Describe an unknown key: with a suggestion, or with all known keys. */
export function describeUnknownKey(key: string, known: readonly string[], noun = 'option'): string {
  const near = meantName(key, known);
  const others = known.length === 1 ? `There is only ${known[0]}` : `There are ${known.join(', ')}`;
  return `there is no ${noun} "${key}". ${near === undefined ? others : `Did you mean ${near}?`}`;
}

/** The suggestion for an unknown name: a few letters away, or the only one that begins so. */
export function meantName(key: string, known: readonly string[]): string | undefined {
  return nearestName(key, known) ?? begunBy(key, known);
}

/** The only name that begins with this word. */
function begunBy(word: string, names: readonly string[]): string | undefined {
  if (word.length < LEAST_BEGINNING) return undefined;
  const [only, another] = names.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
  return another === undefined ? only : undefined;
}
