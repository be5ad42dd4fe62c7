import { stripVTControlCharacters } from 'node:util';
import type { OutputWriter } from '../../output/output-writer.js';
import type { TextWidth } from '../../output/text-width.js';
import type { layOut } from './ink-app.js';

export type DrawnFrame = {
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number };
};

type Output = Pick<OutputWriter, 'control' | 'columns'>;

/**
 * The live part of a terminal. Its first frames are there before Ink is loaded. A frame is erased upwards from the cursor and
 * never from its last row: a terminal that gets lower drops rows below the cursor, and finished lines would be erased instead.
 */
export interface LivePart {
  /** Write finished text above the part, and draw the part. */
  draw(text: string, frame: DrawnFrame): void;
  /** Load what draws further frames. @param frame the present one */
  load(frame: () => DrawnFrame): Promise<void>;
  /** The terminal has changed its size, and with it how the drawn lines are broken. */
  resize(): void;
  /** Write finished text, and erase the part. */
  close(text: string): void;
}

/** A terminal that knows these codes shows everything between them at once. */
const AT_ONCE = { begin: '\u001b[?2026h', end: '\u001b[?2026l' } as const;
/** Terminals differ in the width of emoji and of marks on letters. */
const UNSURE = /\p{Extended_Pictographic}|\p{Mark}/u;
/** A line between these codes is cut at the last column, and takes no second row. */
const UNBROKEN = { begin: '\u001b[?7l', end: '\u001b[?7h' } as const;

export function createLivePart(output: Output, measure: TextWidth): LivePart {
  let lay: typeof layOut | undefined;
  let drawn: DrawnFrame | undefined;
  let isClosed = false;
  /** Number of rows above the cursor; undefined if nothing is drawn. */
  let above: number | undefined;

  const takeErasing = (): string => {
    const codes = above === undefined ? '' : eraseDrawn(above);
    above = undefined;
    return codes;
  };
  const draw = (text: string, frame: DrawnFrame): void => {
    const { columns = 80 } = output;
    const { lines, cursor } = frame;
    const body = lay?.(lines, columns) ?? lines.join('\n');
    const live = body
      .split('\n')
      .map((line, row) => (row > cursor.y || UNSURE.test(line) ? unbroken(line) : line))
      .join('\n');
    const codes = `${takeErasing()}${text}${live}${backTo(cursor, lines.length)}`;
    void output.control(`${AT_ONCE.begin}${codes}${AT_ONCE.end}`);
    drawn = frame;
    above = cursor.y;
  };
  return {
    draw,
    async load(frame) {
      const { layOut } = await import('./ink-app.js');
      if (isClosed) return;
      lay = layOut;
      draw('', frame());
    },
    resize() {
      const { columns = 80 } = output;
      if (drawn !== undefined && above !== undefined) above = rowsAbove(drawn, columns, measure);
    },
    close(text) {
      isClosed = true;
      void output.control(`${takeErasing()}${text}`);
    },
  };
}

function unbroken(line: string): string {
  return `${UNBROKEN.begin}${line}${UNBROKEN.end}`;
}

/** From the last line of a frame to the cursor's place. Lines below the cursor take one row each, at any width. */
function backTo({ x, y }: DrawnFrame['cursor'], lines: number): string {
  const up = lines - 1 - y;
  return `${up > 0 ? `\u001b[${up}A` : ''}\r${x > 0 ? `\u001b[${x}C` : ''}`;
}

/**
 * Rows between the top of a frame and the cursor, after a terminal has broken its lines at another width. The line of the
 * cursor counts as one row: most terminals do not break it, and a row too many would erase a finished line.
 */
function rowsAbove({ lines, cursor }: DrawnFrame, columns: number, measure: TextWidth): number {
  const rows = lines
    .slice(0, cursor.y)
    .map((line) => Math.max(Math.ceil(measure.of(stripVTControlCharacters(line)) / columns), 1));
  return rows.reduce((sum, count) => sum + count, 0);
}

function eraseDrawn(above: number): string {
  return `\r${above > 0 ? `\u001b[${above}A` : ''}\u001b[J`;
}
