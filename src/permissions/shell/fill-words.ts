import { expandBraces } from './expand-braces.js';
import { fillKnownValues, type KnownValues } from './known-values.js';
import type { ShellWord } from './shell-token.js';

/** Expand braces, known values and `$(echo x)`. Beyond the limit, the first words are kept, and one more. */
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
        filled.push(...fillKnownValues(withPrinted(one), values));
        if (filled.length > limit) break;
      }
    }
    if (filled.length > limit) break;
  }
  return filled;
}

const PRINTER = String.raw`\s*(?:echo|printf|cat\s*<<<)\s+([^\s()\`$][^()\`$]*)`;
const PRINTED = new RegExp(String.raw`\$\(${PRINTER}\)|\`${PRINTER}\``);

/** The text that the first substitution of a word prints, if it is an `echo` of plain words. */
export function printedText(word: ShellWord): string | undefined {
  const place = word.isDynamic ? PRINTED.exec(word.text) : null;
  return place === null ? undefined : (place[1] ?? place[2])?.replace(/["'\\]/g, '');
}

/** The words with what `echo` prints in place of the first substitution. */
function withPrinted(word: ShellWord): readonly ShellWord[] {
  const printed = printedText(word)?.split(/\s+/) ?? [];
  return [
    word,
    ...printed.map((one) => {
      const text = word.text.replace(PRINTED, () => one);
      return { ...word, text, isTilde: text.startsWith('~') };
    }),
  ];
}
