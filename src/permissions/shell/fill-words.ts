import { expandBraces } from './expand-braces.js';
import { fillKnownValues, type KnownValues } from './known-values.js';
import type { ShellWord } from './shell-token.js';

/** Expand braces and known values. Beyond the limit, the first words are kept, and one more. */
export function fillWords(
  words: readonly ShellWord[],
  values: KnownValues,
  limit: number,
): readonly ShellWord[] {
  if (words.every(({ isDynamic }) => !isDynamic)) return words;
  const filled: ShellWord[] = [];
  for (const word of words) {
    if (!word.isDynamic) filled.push(word);
    else {
      for (const one of expandBraces(word, limit + 1)) {
        filled.push(...fillKnownValues([one], values));
        if (filled.length > limit) break;
      }
    }
    if (filled.length > limit) break;
  }
  return filled;
}
