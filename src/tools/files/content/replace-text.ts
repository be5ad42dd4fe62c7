/**
 * Replace passages of a text for a caller that does not know its line endings: passages match with `\r\n` read as `\n`,
 * and the new text gets the line endings of the old one.
 */
export type ReplaceTextResult =
  | {
      readonly status: 'replaced';
      readonly text: string;
      /** The line on which each replacement starts in the new text, counted from 1. */
      readonly lines: readonly number[];
    }
  | { readonly status: 'not_found' }
  /** `lines` are the first lines of the passages, which may overlap. */
  | { readonly status: 'ambiguous'; readonly count: number; readonly lines: readonly number[] };

/** Counting stops at this number of passages. */
export const MAX_COUNTED = 1_000;
const MAX_LISTED = 10;

export function replaceText(
  text: string,
  { find, replacement, all }: { find: string; replacement: string; all: boolean },
): ReplaceTextResult {
  const plain = toLf(text);
  const wanted = toLf(find);
  const starts = findAll(plain, wanted, all ? Infinity : MAX_COUNTED, all ? wanted.length : 1);
  if (starts.length === 0) return { status: 'not_found' };
  if (!all && starts.length > 1) {
    const lines = starts
      .slice(0, MAX_LISTED)
      .map((start) => countBreaks(plain.slice(0, start)) + 1);
    return { status: 'ambiguous', count: starts.length, lines };
  }
  const toOriginal = createPositionMap(text, plain);
  const mostly = countBreaks(text) > 2 * countCrlf(text) ? '\n' : '\r\n';
  const added = toLf(replacement);
  const pieces: string[] = [];
  const lines: number[] = [];
  let line = 1;
  let done = 0;
  for (const start of starts) {
    const from = toOriginal(start);
    const to = toOriginal(start + wanted.length);
    const before = text.slice(done, from);
    const replaced = text.slice(from, to);
    const lineEnding = replaced.includes('\r\n') ? '\r\n' : replaced.includes('\n') ? '\n' : mostly;
    line += countBreaks(before);
    lines.push(line);
    line += countBreaks(added);
    pieces.push(
      before,
      plain === text || lineEnding === '\n' ? added : added.replaceAll('\n', '\r\n'),
    );
    done = to;
  }
  pieces.push(text.slice(done));
  return { status: 'replaced', text: pieces.join(''), lines };
}

/**
 * Find the lines that equal the passage except for white space at their ends; undefined if there are none. Counted from
 * 1.
 */
export function findLooseMatch(
  text: string,
  find: string,
): { readonly first: number; readonly last: number } | undefined {
  const wanted = find.trim().split('\n').map(trim);
  if (wanted[0] === '') return undefined;
  const lines = text.split('\n').map(trim);
  const at = lines.findIndex((_, index) =>
    wanted.every((line, offset) => lines[index + offset] === line),
  );
  return at < 0 ? undefined : { first: at + 1, last: at + wanted.length };
}

export function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function countCrlf(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) count += 1;
  return count;
}

function findAll(text: string, wanted: string, most: number, step: number): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && starts.length < most;) {
    starts.push(at);
    at = text.indexOf(wanted, at + step);
  }
  return starts;
}

/** Map positions of the text with `\n` only to positions of the real text. Ask for them in ascending order. */
function createPositionMap(text: string, plain: string): (position: number) => number {
  if (text === plain) return (position) => position;
  let removed = 0; // carriage returns before `next`
  let next = text.indexOf('\r\n');
  return (position) => {
    while (next >= 0 && next - removed < position) {
      removed += 1;
      next = text.indexOf('\r\n', next + 2);
    }
    return position + removed;
  };
}

function toLf(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

function trim(line: string): string {
  return line.trim();
}
