import type { ShellWord } from './shell-token.js';

/** Beyond this number of choices in a word, they are not expanded. */
const MAX_WORDS = 64;

/**
 * Expand the braces of a word: `{a,b}c` becomes `ac` and `bc`, the innermost first. Sequences (`{1..3}`) stay. For
 * rules that deny: quoted braces count as well.
 *
 * @param most the limit on words; the first ones are kept
 */
export function expandBraces(word: ShellWord, most = Infinity): readonly ShellWord[] {
  const texts = choicesOfBraces(word, most);
  return texts.length === 1 ? [word] : texts.map((text) => ({ ...word, text }));
}

/** The texts of the words that {@link expandBraces} makes. */
export function choicesOfBraces(
  { isDynamic, text }: ShellWord,
  most = Infinity,
): readonly string[] {
  if (!isDynamic || !text.includes('{')) return [text];
  let texts: readonly string[] = [text];
  for (let count = 0; count < texts.length && texts.length <= MAX_WORDS;) {
    count = texts.length;
    texts = choicesOfAll(texts, most);
  }
  return texts;
}

function choicesOfAll(texts: readonly string[], most: number): readonly string[] {
  const all: string[] = [];
  for (const text of texts) {
    for (const choice of choicesOf(text)) {
      if (all.length >= most) return all;
      all.push(choice);
    }
  }
  return all;
}

function choicesOf(text: string): readonly string[] {
  const open = /\{[^{},]*,[^{}]*\}/.exec(text);
  if (open === null) return [text];
  const before = text.slice(0, open.index);
  const behind = text.slice(open.index + open[0].length);
  return open[0]
    .slice(1, -1)
    .split(',')
    .map((choice) => before + choice + behind);
}
