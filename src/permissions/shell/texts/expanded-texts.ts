import { unquoted } from '../words/ansi-c.js';
import { choicesOfBraces } from '../words/expand-braces.js';
import { fillKnownValues, type KnownValues } from '../words/known-values.js';
import { mayVanish } from '../words/may-vanish.js';
import { wordsWithin } from './open-name.js';
import type { ShellWord } from '../words/shell-token.js';

/** Most texts of one word. */
const MAX_TEXTS = 64;
/** Most variables in one word. */
const MAX_ROUNDS = 8;
/** Most characters that values add to one command. Further variables stay as written. */
const MAX_FILLED = 100_000;

/**
 * The possible words after expansion, for rules that deny: each expansion as nothing and as its default, and braces
 * expanded. If the name of a program is unknown, the words within the name count too, and the values that the command
 * line itself gives variables. An empty text is no word.
 *
 * @param names the words that are names of programs and no plain literals
 */
export function expandedTexts(
  words: readonly ShellWord[],
  names: ReadonlySet<ShellWord>,
  values: KnownValues,
): readonly (readonly string[])[] {
  const all: (readonly string[])[] = [words.map(withoutExpansions)];
  if (words.some(hasDefault)) all.push(words.map(withDefaults));
  if (words.some(isBraced)) all.push(words.map(bracesOf));
  if (names.size > 0) {
    all.push(words.map((word) => (names.has(word) ? wordsWithin(word) : word.text)));
    all.push(...filledIn(words, values));
  }
  return all;
}

/** Quotes around nothing are a word. */
function withoutExpansions(word: ShellWord): string {
  if (mayVanish(word)) return '';
  return word.bare === '' ? '""' : (word.bare ?? word.text);
}

const DEFAULT = /\$\{[\w@*#?!-]+(?:\[[^\]]*\])?:?[-=+]([^{}]*)\}/g;

function hasDefault({ bare, text }: ShellWord): boolean {
  return bare !== undefined && text.includes('${');
}

function withDefaults(word: ShellWord): string {
  if (!hasDefault(word)) return withoutExpansions(word);
  return word.text
    .replace(DEFAULT, (_, value: string) => unquoted(value).replace(/\s+/g, ' '))
    .trimStart();
}

function isBraced({ isDynamic, text }: ShellWord): boolean {
  return isDynamic && /\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(text);
}

function bracesOf(word: ShellWord): string {
  if (!isBraced(word)) return withoutExpansions(word);
  return choicesOfBraces(word, MAX_TEXTS)
    .texts.filter((one) => one !== '')
    .join(' ');
}

/** Fill in the first value of every known variable, then the second, up to the longest list of values. */
function filledIn(
  words: readonly ShellWord[],
  values: KnownValues,
): readonly (readonly string[])[] {
  if (values.size === 0) return [];
  let left = MAX_FILLED;
  const choices = words.map((word) => {
    const filled = left > 0 ? fillAll(word, values) : [];
    for (const text of filled) left -= text.length;
    return filled.length > 0 ? filled : [word.text];
  });
  if (left === MAX_FILLED) return [];
  const most = Math.max(...choices.map(({ length }) => length));
  return Array.from({ length: most }, (_, index) =>
    choices.map((texts) => texts[index % texts.length] ?? ''),
  );
}

/** Fill in every known variable; empty if there is no known variable. */
function fillAll(word: ShellWord, values: KnownValues): readonly string[] {
  if (word.bare === undefined) return [];
  let filled: readonly ShellWord[] = [word];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = fillKnownValues(filled, values).slice(0, MAX_TEXTS);
    if (next.every((one, index) => one === filled[index])) break;
    filled = next;
  }
  return filled.map(({ text }) => text).filter((text) => text !== word.text);
}
