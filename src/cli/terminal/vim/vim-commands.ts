/** The commands of vim that change a text. Pure. */
import { withText } from '../editor/editor.js';
import { lineEnd, lineStart, nextCharacter, previousCharacter } from '../editor/graphemes.js';
import { findMotion, findObject, firstOfLine, swapCase } from './vim-motions.js';
import type { At } from './vim-state.js';

/** Delete, change or copy what a motion or a text object names. */
export function operate(
  at: At,
  {
    operator,
    rest,
    times,
  }: { readonly operator: string; readonly rest: string; readonly times: number },
): At | undefined {
  const { state, vim } = at;
  const { text, cursor } = state;
  if (rest === operator) {
    let last = cursor;
    for (let more = 1; more < times; more += 1)
      last = Math.min(lineEnd(text, last) + 1, text.length);
    return takeLines(at, operator, [cursor, last]);
  }
  const object = /^[ia]/.test(rest) ? findObject(rest, state) : undefined;
  if (object !== undefined) return takeRange(at, operator, object);
  const motion = findMotion(rest, { text, cursor, count: times }, vim.find);
  if (motion === undefined) return undefined;
  const [from = 0, to = 0] = [cursor, motion.to].toSorted((a, b) => a - b);
  if (operator === 'c' && /^[wW]$/.test(rest) && text[cursor]?.trim() !== '')
    return takeRange(at, 'c', [from, from + text.slice(from, to).trimEnd().length]);
  if (motion.takes === 'lines') return takeLines(at, operator, [from, to]);
  return takeRange(at, operator, [from, motion.takes === 'target' ? nextCharacter(text, to) : to]);
}

function takeRange(
  { state, vim }: At,
  operator: string,
  [from, to]: readonly [number, number],
): At {
  const killed = state.text.slice(from, to);
  if (operator === 'y') return { vim, state: { ...state, killed, cursor: from } };
  const text = state.text.slice(0, from) + state.text.slice(to);
  const mode = operator === 'c' ? 'insert' : 'normal';
  return { vim: { ...vim, mode }, state: { ...withText(state, text, from), killed } };
}

/** The lines from one position to another. What is cut of whole lines ends with a line break. */
function takeLines(at: At, operator: string, [first, last]: readonly [number, number]): At {
  const { text, cursor } = at.state;
  const [from, to] = [lineStart(text, first), lineEnd(text, last)];
  const killed = `${text.slice(from, to)}\n`;
  if (operator === 'y')
    return { ...at, state: { ...at.state, killed, cursor: Math.min(cursor, first) } };
  if (operator === 'c') {
    const changed = takeRange(at, 'c', [from, to]);
    return { ...changed, state: { ...changed.state, killed } };
  }
  const isLast = to === text.length;
  const cut = takeRange(at, 'd', isLast ? [Math.max(from - 1, 0), to] : [from, to + 1]);
  const line = lineStart(cut.state.text, cut.state.cursor);
  return { ...cut, state: { ...cut.state, killed, cursor: firstOfLine(cut.state.text, line) } };
}

type Simple = (at: At, times: number, character: string) => At | undefined;

const insertAt =
  (place: (text: string, cursor: number) => number, before = '', behind = ''): Simple =>
  ({ state, vim }) => {
    const at = place(state.text, state.cursor);
    const text = state.text.slice(0, at) + before + behind + state.text.slice(at);
    return { state: withText(state, text, at + before.length), vim: { ...vim, mode: 'insert' } };
  };

const take =
  (operator: string, rest: string): Simple =>
  (at, times) =>
    operate(at, { operator, rest, times });

const behind = (text: string, cursor: number): number =>
  cursor === lineEnd(text, cursor) ? cursor : nextCharacter(text, cursor);

const put =
  (isBefore: boolean): Simple =>
  (at, times) => {
    const { state, vim } = at;
    const { text, cursor, killed } = state;
    if (killed === '') return at;
    const isLines = killed.endsWith('\n');
    const lines = isBefore ? lineStart(text, cursor) : lineEnd(text, cursor);
    const place = isLines ? lines : isBefore ? cursor : behind(text, cursor);
    const whole = killed.repeat(times);
    const added = isLines && !isBefore ? `\n${whole.slice(0, -1)}` : whole;
    const end = isLines
      ? place + (isBefore ? 0 : 1)
      : previousCharacter(added, added.length) + place;
    return { vim, state: withText(state, text.slice(0, place) + added + text.slice(place), end) };
  };

/** Replace characters of the line from the cursor on. */
const replace =
  (change: (old: string, character: string) => string, isBehind: boolean): Simple =>
  ({ state, vim }, times, character) => {
    const { text, cursor } = state;
    let end = cursor;
    for (let index = 0; index < times; index += 1) end = behind(text, end);
    const made = change(text.slice(cursor, end), character);
    const at = cursor + made.length;
    const whole = text.slice(0, cursor) + made + text.slice(end);
    return { vim, state: withText(state, whole, isBehind ? at : previousCharacter(whole, at)) };
  };

const join: Simple = (at) => {
  const { text, cursor } = at.state;
  const end = lineEnd(text, cursor);
  if (end === text.length) return at;
  const rest = text.slice(firstOfLine(text, end + 1));
  return { ...at, state: withText(at.state, `${text.slice(0, end)} ${rest}`, end) };
};

/** Commands of one key, or of `r` and a character. */
export const SIMPLE: Readonly<Record<string, Simple>> = {
  i: insertAt((_, cursor) => cursor),
  a: insertAt(behind),
  I: insertAt((text, cursor) => firstOfLine(text, lineStart(text, cursor))),
  A: insertAt(lineEnd),
  o: insertAt(lineEnd, '\n'),
  O: insertAt(lineStart, '', '\n'),
  x: take('d', 'l'),
  X: take('d', 'h'),
  s: take('c', 'l'),
  S: take('c', 'c'),
  D: take('d', '$'),
  C: take('c', '$'),
  Y: take('y', 'y'),
  p: put(false),
  P: put(true),
  r: replace((old, character) => old.replaceAll(/./gsu, character), false),
  '~': replace((old) => [...old].map(swapCase).join(''), true),
  J: join,
};
