import { choicesOfBraces } from '../words/expand-braces.js';
import { fillKnownValues, type KnownValues } from '../words/known-values.js';
import type { ShellWord } from '../words/shell-token.js';

export type FilledWords = {
  readonly words: readonly ShellWord[];
  /** There are no others. */
  readonly areAll: boolean;
};

/** Expand braces, known values and `$(echo x)`. Words beyond the limit stay as written. */
export function fillWords(
  words: readonly ShellWord[],
  values: KnownValues,
  limit: number,
): FilledWords {
  if (words.every(({ isDynamic }) => !isDynamic)) return { words, areAll: true };
  const filled: ShellWord[] = [];
  for (const [index, word] of words.entries()) {
    const { texts, areAll } = choicesOfBraces(word, limit + 1);
    for (const text of texts) {
      if (filled.length > limit) break;
      if (!word.isDynamic) filled.push(word);
      else filled.push(...fillKnownValues(withPrinted({ ...word, text }), values));
    }
    if (!areAll || filled.length > limit)
      return { words: [...filled, ...words.slice(index + 1)], areAll: false };
  }
  return { words: filled, areAll: true };
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
