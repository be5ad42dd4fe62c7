import { expandBraces } from './expand-braces.js';
import { fillKnownValues, type KnownValues } from './known-values.js';
import { mayVanish } from './may-vanish.js';
import type { ShellWord } from './shell-token.js';

/** Of one command. */
const MAX_TEXTS = 64;
const MAX_STARTS = 16;
/** Variables in one name. */
const MAX_ROUNDS = 8;

/**
 * What words may be once they are expanded, as far as rules that deny care: with nothing for each expansion, with the
 * default that it names, with braces expanded, and with the values that the command line itself gives the variables of a
 * program's name. An empty text is no word.
 *
 * @param starts where commands begin that hold an expansion
 */
export function expandedTexts(
  words: readonly ShellWord[],
  starts: readonly number[],
  values: KnownValues,
): readonly (readonly string[])[] {
  const all: (readonly string[])[] = [words.map(withoutExpansions)];
  if (words.some(hasDefault)) all.push(words.map(withDefaults));
  if (words.some(isBraced)) all.push(words.map(bracesOf));
  all.push(...namedBy(words, starts, values));
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
    .replace(DEFAULT, (_, value: string) => value.replace(/["'\\]/g, '').replace(/\s+/g, ' '))
    .trimStart();
}

function isBraced({ isDynamic, text }: ShellWord): boolean {
  return isDynamic && /\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(text);
}

function bracesOf(word: ShellWord): string {
  if (!isBraced(word)) return withoutExpansions(word);
  const text = word.text.replace(/\{([^{},.])\.\.[^{},.](?:\.\.\d+)?\}/g, '$1');
  return expandBraces({ ...word, text }, MAX_TEXTS)
    .map((one) => one.text)
    .filter((one) => one !== '')
    .join(' ');
}

/** Once for each value of the variables that name a program. */
function namedBy(
  words: readonly ShellWord[],
  starts: readonly number[],
  values: KnownValues,
): readonly (readonly string[])[] {
  if (values.size === 0) return [];
  return starts.slice(0, MAX_STARTS).flatMap((start) => {
    const program = words[start];
    if (program?.bare === undefined) return [];
    return fillAll(program, values).map((name) =>
      words.map(({ text }, index) => (index === start ? name : text)),
    );
  });
}

/** With every variable filled in that is known; nothing if none is. */
function fillAll(program: ShellWord, values: KnownValues): readonly string[] {
  let filled: readonly ShellWord[] = [program];
  for (let round = 0; round < MAX_ROUNDS; round++)
    filled = fillKnownValues(filled, values).slice(0, MAX_TEXTS);
  return filled.map(({ text }) => text).filter((text) => text !== program.text);
}
