import { oneLine, unmistakable } from '../../api/text.js';
import type { ToolView } from '../../api/types.js';
import { styleOfMark } from '../approval/diff-lines.js';
import { callLine } from '../summaries/call-line.js';
import type { StyledLine } from '../output/output-writer.js';

const MARGIN = '    ';
const MOST_LINES = { diff: 20, text: 4, list: 10, table: 10, question: 10 } as const;
const WIDTH = 200;
/** Most characters of the first line. */
export const HEAD = 100;

/** The view of a result whose tool has none: its text. */
type TextView = { readonly kind: 'text'; readonly text: string };

/** The result of a tool call, with the view that its tool has of it. */
export type ShownResult = {
  readonly text: string;
  readonly isError: boolean;
  readonly view: ToolView | undefined;
};

/** The first line of a result, and for the main agent some lines below it. */
export function describeResult(
  tool: string,
  { text, isError, view }: ShownResult,
  isMain: boolean,
): { readonly head: StyledLine; readonly below: readonly StyledLine[] } {
  const first = firstOf(view, text);
  const below = isMain ? viewLines(view ?? { kind: 'text', text }, first) : [];
  const more = below.length === 0 && view?.kind !== 'summary' ? moreThanOne(text) : '';
  const said = `  ${oneLine(tool, 60)}${isError ? ' failed' : ''}: ${first}${more}`;
  return { head: { text: said, style: isError ? 'removed' : 'dim' }, below };
}

/** The call and its result, with every line. */
export function wholeResult(
  { name, input }: { readonly name: string; readonly input: unknown },
  { view, text }: ShownResult,
): readonly StyledLine[] {
  return [{ text: `* ${callLine(name, input, HEAD)}` }, ...wholeLines(view, text)];
}

/** The first line of a result, or its summary. */
function firstOf(view: ToolView | undefined, text: string): string {
  return oneLine(view?.kind === 'summary' ? view.text : (linesOf(text)[0] ?? '(nothing)'), HEAD);
}

/** The number of lines below the first one. */
function moreThanOne(text: string): string {
  const left = linesOf(text).length - 1;
  return left <= 0 ? '' : ` (+${left} ${left === 1 ? 'line' : 'lines'})`;
}

/**
 * The lines below the first line of a result: none for a view that one line says.
 *
 * @param head the first line
 */
export function viewLines(view: ToolView | TextView, head: string): readonly StyledLine[] {
  switch (view.kind) {
    case 'summary':
      return [];
    case 'diff':
      return folded(
        view.files.flatMap(({ hunks }) =>
          hunks.flatMap(({ lines }) => lines.map((line) => ofDiff(line))),
        ),
        'diff',
      );
    case 'command':
      return folded(plain(linesOf(view.output).slice(1)), 'text');
    case 'text':
      return folded(plain(linesOf(view.text).slice(1)), 'text');
    case 'list': {
      const [first = ''] = view.items;
      const isSaid = head.includes(oneLine(first, HEAD));
      return folded(plain(isSaid ? view.items.slice(1) : view.items), 'list');
    }
    case 'table':
      return folded(plain(view.rows.map((cells) => cells.join('  '))), 'table');
    case 'question':
      return folded(
        plain(view.answers.map(({ question, answer }) => `${question} ${answer.join(', ')}`)),
        'question',
      );
    default:
      return view satisfies never;
  }
}

/** Every line of a result: of its diff, of the output of its command, or of the text for the model. */
function wholeLines(view: ToolView | undefined, result: string): readonly StyledLine[] {
  if (view?.kind === 'diff')
    return view.files.flatMap(({ hunks }) =>
      hunks.flatMap(({ lines }) => lines.map((line) => ofDiff(line, Infinity))),
    );
  const text = view?.kind === 'command' ? view.output : result;
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ text: `${MARGIN}${unmistakable(line)}` }));
}

/** The lines of a text that are not blank. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function ofDiff(line: string, width = WIDTH): StyledLine {
  const mark = line[0] ?? ' ';
  const text = `${MARGIN}${mark} ${oneLine(unmistakable(line.slice(1)), width)}`;
  return { text, ...styleOfMark(mark) };
}

function plain(lines: readonly string[]): readonly StyledLine[] {
  return lines.map((line) => ({
    text: `${MARGIN}${oneLine(unmistakable(line), WIDTH)}`,
    style: 'dim',
  }));
}

function folded(
  lines: readonly StyledLine[],
  kind: keyof typeof MOST_LINES,
): readonly StyledLine[] {
  const most = MOST_LINES[kind];
  if (lines.length <= most + 1) return lines;
  const more: StyledLine = { text: `${MARGIN}… ${lines.length - most} more lines`, style: 'dim' };
  return [...lines.slice(0, most), more];
}
