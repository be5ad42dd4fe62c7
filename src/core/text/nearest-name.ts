import { editDistance } from './edit-distance.js';

/** Suggest a name for an unknown word: a few letters away, fewer than half of the letters, in any case. */
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
  if (best === undefined || best.edits > mostEdits) return undefined;
  const length = Math.max(lettersOf(best.name), lettersOf(word));
  return best.edits * 2 < length ? best.name : undefined;
}

/** Count the letters and digits of a text: the dashes of a flag say nothing about its name. */
function lettersOf(text: string): number {
  return text.replace(/[^\p{L}\p{N}]/gu, '').length;
}
