/** Motions and text objects of vim: ranges of a text. Pure. */
import { lineEnd, lineStart, nextCharacter, previousCharacter } from '../editor/graphemes.js';

/** A character that `f`, `F`, `t` or `T` looks for in the line. */
export type Find = { readonly key: string; readonly character: string };

export type Motion = {
  readonly to: number;
  /** The reach of an operator: up to the target, the target as well, or whole lines. */
  readonly takes: 'before' | 'target' | 'lines';
};

type Place = { readonly text: string; readonly cursor: number; readonly count: number };

/** @returns undefined if the keys are no motion, or if there is no target */
export function findMotion(keys: string, place: Place, find: Find | undefined): Motion | undefined {
  const { text, cursor, count } = place;
  const repeat = (step: (text: string, at: number) => number): number => {
    let at = cursor;
    for (let times = 0; times < count; times += 1) at = step(text, at);
    return at;
  };
  const before = (to: number): Motion => ({ to, takes: 'before' });
  const isBig = keys === keys.toUpperCase();
  const start = lineStart(text, cursor);
  switch (keys) {
    case 'h':
      return before(Math.max(repeat(previousCharacter), start));
    case 'l':
    case ' ':
      return before(Math.min(repeat(nextCharacter), lineEnd(text, cursor)));
    case 'w':
    case 'W':
      return before(repeat((_, at) => wordForward(text, at, isBig)));
    case 'b':
    case 'B':
      return before(repeat((_, at) => wordBack(text, at, isBig)));
    case 'e':
    case 'E':
      return { to: repeat((_, at) => wordEnd(text, at, isBig)), takes: 'target' };
    case '0':
      return before(start);
    case '^':
      return before(firstOfLine(text, start));
    case '$':
      return before(lineEnd(text, cursor));
    case 'j':
      return {
        to: repeat((_, at) => Math.min(lineEnd(text, at) + 1, text.length)),
        takes: 'lines',
      };
    case 'k':
      return { to: repeat((_, at) => Math.max(lineStart(text, at) - 1, 0)), takes: 'lines' };
    case 'G':
      return { to: lineStart(text, text.length), takes: 'lines' };
    case 'gg':
      return { to: 0, takes: 'lines' };
    case ';':
      return find && findCharacter(find, place);
    case ',':
      return find && findCharacter({ ...find, key: swapCase(find.key) }, place);
    default:
      return isFind(keys)
        ? findCharacter({ key: keys.slice(0, 1), character: keys.slice(1) }, place)
        : undefined;
  }
}

export function isFind(keys: string): boolean {
  return /^[fFtT]./su.test(keys);
}

/** The first character of a line that is no blank. */
export function firstOfLine(text: string, start: number): number {
  return start + (/^[^\S\n]*/.exec(text.slice(start))?.[0].length ?? 0);
}

export function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

function findCharacter(
  { key, character }: Find,
  { text, cursor, count }: Place,
): Motion | undefined {
  const isBack = key === 'F' || key === 'T';
  const from = isBack ? lineStart(text, cursor) : nextCharacter(text, cursor);
  const line = text.slice(from, isBack ? cursor : lineEnd(text, cursor));
  let at = isBack ? line.length : -1;
  for (let times = 0; times < count; times += 1) {
    const isOut = isBack && at === 0;
    at = isBack ? line.lastIndexOf(character, at - 1) : line.indexOf(character, at + 1);
    if (at === -1 || isOut) return undefined;
  }
  const found = from + at;
  if (isBack) return { to: key === 'T' ? found + character.length : found, takes: 'before' };
  return { to: key === 't' ? previousCharacter(text, found) : found, takes: 'target' };
}

/** The range of a text object such as `iw`, `a"` or `i(`. */
export function findObject(
  keys: string,
  { text, cursor }: Pick<Place, 'text' | 'cursor'>,
): readonly [from: number, to: number] | undefined {
  const isInner = keys.startsWith('i');
  const name = keys.slice(1);
  if (name === 'w' || name === 'W') return wordAt(text, cursor, { isInner, isBig: name === 'W' });
  const pair = PAIRS.find(([open, close, ...names]) => [open, close, ...names].includes(name));
  const found = pair === undefined ? undefined : betweenPair(text, cursor, pair);
  if (found === undefined) return undefined;
  return isInner ? [found[0] + 1, found[1]] : [found[0], found[1] + 1];
}

const PAIRS: readonly (readonly [open: string, close: string, ...names: readonly string[]])[] = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['(', ')', 'b'],
  ['[', ']'],
  ['{', '}', 'B'],
  ['<', '>'],
];

/** The positions of the characters around the cursor. Quotes are searched in the line, brackets by their depth. */
function betweenPair(
  text: string,
  cursor: number,
  [open, close]: readonly [open: string, close: string, ...names: readonly string[]],
): readonly [number, number] | undefined {
  if (open === close) {
    const start = lineStart(text, cursor);
    const marks = [...text.slice(start, lineEnd(text, cursor)).matchAll(new RegExp(open, 'g'))].map(
      ({ index }) => index + start,
    );
    const first = marks.findIndex(
      (_, index) => index % 2 === 0 && (marks[index + 1] ?? -1) >= cursor,
    );
    const [from, to] = marks.slice(first, first + 2);
    return first === -1 || from === undefined || to === undefined ? undefined : [from, to];
  }
  const outwards = (by: -1 | 1, own: string, other: string): number => {
    let depth = 0;
    for (let at = cursor; at >= 0 && at < text.length; at += by) {
      if (text[at] === own && depth === 0) return at;
      if (text[at] === own) depth -= 1;
      if (text[at] === other && at !== cursor) depth += 1;
    }
    return -1;
  };
  const [from, to] = [outwards(-1, open, close), outwards(1, close, open)];
  return from === -1 || to === -1 ? undefined : [from, to];
}

type Class = 'blank' | 'word' | 'other' | undefined;

function classAt(text: string, at: number, isBig: boolean): Class {
  const unit = text[at];
  if (unit === undefined) return undefined;
  if (/\s/.test(unit)) return 'blank';
  return isBig || /\w|[^\0-\x7f]/.test(unit) ? 'word' : 'other';
}

/** The end of the characters of one class from a position on, or the beginning of those before it. */
function pastClass(
  text: string,
  from: number,
  by: -1 | 1,
  isIn: (unit: Class, first: Class) => boolean,
  isBig: boolean,
): number {
  const look = (at: number): Class => classAt(text, by === 1 ? at : at - 1, isBig);
  const first = look(from);
  let at = from;
  while (look(at) !== undefined && isIn(look(at), first)) at += by;
  return at;
}

const isBlank = (one: Class): boolean => one === 'blank';
const isSame = (one: Class, first: Class): boolean => one === first;
const isSameWord = (one: Class, first: Class): boolean => one === first && one !== 'blank';

function wordForward(text: string, at: number, isBig: boolean): number {
  return pastClass(text, pastClass(text, at, 1, isSameWord, isBig), 1, isBlank, isBig);
}

function wordBack(text: string, at: number, isBig: boolean): number {
  return pastClass(text, pastClass(text, at, -1, isBlank, isBig), -1, isSame, isBig);
}

function wordEnd(text: string, at: number, isBig: boolean): number {
  const word = pastClass(text, nextCharacter(text, at), 1, isBlank, isBig);
  return previousCharacter(text, pastClass(text, word, 1, isSame, isBig));
}

function wordAt(
  text: string,
  cursor: number,
  { isInner, isBig }: { readonly isInner: boolean; readonly isBig: boolean },
): readonly [number, number] {
  const end = pastClass(text, cursor, 1, isSame, isBig);
  const from = pastClass(text, end, -1, isSame, isBig);
  if (isInner) return [from, end];
  const after = pastClass(text, end, 1, isBlank, isBig);
  return after > end ? [from, after] : [pastClass(text, from, -1, isBlank, isBig), end];
}
