import { editDistance } from './edit-distance.js';

/** Suggest a name for an unknown word: at most a few letters away, in any case. */
export function nearestName(
  word: string,
  names: readonly string[],
  mostEdits = 2,
): string | undefined {
  const ranked = names
    .filter((name) => Math.abs(name.length - word.length) <= mostEdits)
    .map((name) => ({ name, edits: editDistance(name.toLowerCase(), word.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best !== undefined && best.edits <= mostEdits ? best.name : undefined;
}
