import type { ShellWord } from './shell-token.js';

/** The words that the braces of a word stand for. */
export type Choices = {
  readonly texts: readonly string[];
  /** A shell makes no others. */
  readonly areAll: boolean;
};

/** Most texts of a word with quoted braces, which a shell does not expand, and of one with too many. */
const MAX_KEPT = 64;
/** Most characters of all texts of one word, and most steps to make them. */
const MAX_WORK = 500_000;

/** A brace that is not closed yet. */
type Group = {
  /** The texts in front of it, from `start` on. */
  readonly before: readonly string[];
  readonly start: number;
  /** The index of the brace. */
  readonly index: number;
  readonly choices: (readonly string[])[];
};

/**
 * Expand the braces of a word: `{a,b}c` becomes `ac` and `bc`, `{1..3}` becomes `1`, `2` and `3`. For rules that deny:
 * quoted braces count as well.
 *
 * @param most the limit on texts; beyond it some of the first ones are kept, the rest of the word as it is written
 */
export function choicesOfBraces({ isDynamic, hasBrace, text }: ShellWord, most: number): Choices {
  if (!isDynamic || !text.includes('{')) return { texts: [text], areAll: true };
  if (hasBrace === true) return expand(text, most);
  return { texts: expand(text, Math.min(most, MAX_KEPT)).texts, areAll: true };
}

function expand(text: string, most: number): Choices {
  const open: Group[] = [];
  let texts: readonly string[] = [''];
  /** The index from which on `texts` are expanded. */
  let start = 0;
  let left = MAX_WORK;
  for (const { 0: part, index } of text.matchAll(/[{},]|[^{},]+/g)) {
    const group = open.at(-1);
    const behind = index + part.length;
    if (part === '{') {
      open.push({ before: texts, start, index, choices: [] });
      texts = [''];
      start = behind;
    } else if (group !== undefined && part === ',') {
      group.choices.push(texts);
      texts = [''];
      start = behind;
    } else if (group !== undefined && part === '}' && closes(text, index, start, open)) {
      open.pop();
      const own = closed(group, texts, text.slice(start, index), most);
      texts = join(group.before, own, most + 1);
      start = group.start;
    } else texts = texts.map((one) => one + part);
    left -= texts.length;
    if (texts.length > most || left < 0) {
      const ends = [text.slice(0, start), text.slice(behind)] as const;
      return { texts: firstOf(texts.slice(0, Math.min(most, MAX_KEPT)), ends), areAll: false };
    }
  }
  for (const { before, choices } of open.reverse()) {
    let own: readonly string[] = [''];
    for (const [index, choice] of [...choices, texts].entries()) {
      own = join(join(own, [index === 0 ? '{' : ','], most), choice, most + 1);
      left -= own.length;
      if (own.length > most || left < 0) return { texts: [text], areAll: false };
    }
    texts = join(before, own, most + 1);
    if (texts.length > most) return { texts: [text], areAll: false };
  }
  const kept = firstOf(texts, ['', '']);
  return { texts: kept, areAll: kept.length === texts.length };
}

/** The texts between two others, as many as fit. */
function firstOf(
  texts: readonly string[],
  [before, behind]: readonly [string, string],
): readonly string[] {
  let characters = 0;
  const end = texts.findIndex(
    ({ length }) => (characters += before.length + length + behind.length) > MAX_WORK,
  );
  return texts.slice(0, end < 0 ? undefined : end).map((one) => before + one + behind);
}

function join(
  before: readonly string[],
  choices: readonly string[],
  most: number,
): readonly string[] {
  const joined: string[] = [];
  for (const one of before)
    for (const choice of choices) {
      if (joined.length >= most) return joined;
      joined.push(one + choice);
    }
  return joined;
}

/** Whether a brace ends the innermost group. As in bash, an outer group without a choice continues: `{a},b}`. */
function closes(text: string, index: number, start: number, open: readonly Group[]): boolean {
  const [outer] = open;
  if (outer === undefined || open.length > 1 || outer.choices.length > 0) return true;
  return text[outer.index - 1] === '$' || text.slice(start, index).includes('..');
}

/** The texts of a group that closes. Braces without a choice are plain characters, except for those around `..` at times. */
function closed(
  { choices }: Group,
  last: readonly string[],
  written: string,
  most: number,
): readonly string[] {
  if (choices.length > 0) return [...choices.flat(), ...last];
  const known = sequence(written, most);
  if (known !== undefined) return known;
  const plain = last.map((one) => `{${one}}`);
  return last.length > 1 && written.includes('..') ? [...plain, ...last] : plain;
}

const SEQUENCE = /^(?:([a-zA-Z])\.\.([a-zA-Z])|(-?\d{1,9})\.\.(-?\d{1,9}))(?:\.\.-?(\d{1,9}))?$/;

/** `1..3`, `a..c`, `01..10..2`; one more than `most` is enough. */
function sequence(written: string, most: number): readonly string[] | undefined {
  const [whole, first, last, from = '', to = '', step] = SEQUENCE.exec(written) ?? [];
  if (whole === undefined) return undefined;
  const isLetter = first !== undefined;
  const start = first?.charCodeAt(0) ?? Number(from);
  const end = last?.charCodeAt(0) ?? Number(to);
  const isPadded = /^-?0\d/.test(from) || /^-?0\d/.test(to);
  const width = isPadded ? Math.max(from.length, to.length) : 0;
  const by = Math.max(1, Number(step ?? 1));
  const count = Math.min(most + 1, Math.floor(Math.abs(end - start) / by) + 1);
  return Array.from({ length: count }, (_, index) => {
    const value = start + Math.sign(end - start) * by * index;
    if (isLetter) return String.fromCharCode(value);
    return (
      (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, '0')
    );
  });
}
