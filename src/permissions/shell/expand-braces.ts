import type { ShellWord } from './shell-token.js';

/** What so many choices would make of a word is not looked at one by one. */
const MAX_WORDS = 64;

/**
 * The words that the braces of a word make of it, `{a,b}c` being `ac` and `bc`: the innermost first, sequences (`{1..3}`) not at
 * all. For what denies: quoted braces count as well.
 *
 * @param most of them; the first ones
 */
export function expandBraces(word: ShellWord, most = Infinity): readonly ShellWord[] {
  if (!word.isDynamic || !word.text.includes('{')) return [word];
  let texts: readonly string[] = [word.text];
  for (let count = 0; count < texts.length && texts.length <= MAX_WORDS;) {
    count = texts.length;
    texts = choicesOfAll(texts, most);
  }
  return texts.length === 1 ? [word] : texts.map((text) => ({ ...word, text }));
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
