import { printableLine } from '../../api/text.js';
import { shortenPaths } from './short-path.js';
import { loadTextWidth, type TextWidth } from './text-width.js';

/** How a column shrinks if the table is too wide for the terminal. */
export type Column = {
  /** The least useful width; if absent the column keeps its width. */
  readonly least?: number;
  /** The column may be left out if narrowing is not enough, the rightmost first. */
  readonly isOptional?: boolean;
  /** Long text continues on the next line instead of being cut. */
  readonly wraps?: boolean;
  /** In a column that wraps, paths lose folders at their beginning instead of being broken. */
  readonly shortensPaths?: boolean;
};

const GAP = '  ';

/**
 * Arrange rows in columns. The last column is not padded. A cell is one line: a newline in it becomes a blank.
 *
 * @param columns by position; a column without an entry keeps its width
 * @param width of the terminal; without it nothing is narrowed, wrapped or left out
 */
export async function toTable(
  rows: readonly (readonly string[])[],
  {
    columns = [],
    width,
  }: { readonly columns?: readonly Column[]; readonly width?: number | undefined },
): Promise<readonly string[]> {
  const cells = rows.map((row) => row.map((cell) => printableLine(cell)));
  const text = await loadTextWidth(cells.flat());
  const natural = widthsOf(cells, text);
  const shown =
    width === undefined
      ? natural.map((own, index) => ({ index, own }))
      : fit(natural, columns, width);
  return cells.flatMap((row) => {
    const parts = shown
      .filter(({ index }) => index < row.length)
      .map(({ index, own }) => {
        const cell = row[index] ?? '';
        const { wraps = false, shortensPaths = false } = columns[index] ?? {};
        if (!wraps || width === undefined) return [text.cut(cell, own)];
        return text.wrap(shortensPaths ? shortenPaths(cell, own, text.of) : cell, own);
      });
    const height = Math.max(1, ...parts.map((part) => part.length));
    return Array.from({ length: height }, (_, line) => {
      const joined = parts
        .map((part, at) => {
          const one = part[line] ?? '';
          return one + ' '.repeat(Math.max(0, (shown[at]?.own ?? 0) - text.of(one)));
        })
        .join(GAP)
        .trimEnd();
      return width === undefined ? joined : text.cut(joined, width);
    });
  });
}

/** The first lines of a table that fit a screen of this height, and how many are left out. */
export function fitScreen(lines: readonly string[], rows = Infinity): readonly string[] {
  const room = Math.max(rows - 1, 2); // and a line for the cursor
  if (lines.length <= room) return lines;
  const shown = lines.slice(0, room - 1);
  return [...shown, `… ${lines.length - shown.length} more lines`];
}

type ShownColumn = { readonly index: number; readonly own: number };

function widthsOf(rows: readonly (readonly string[])[], text: TextWidth): readonly number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, text.of(cell));
  return widths;
}

/** The shown columns with their widths: the widest shrinks first, then columns are left out. */
function fit(
  natural: readonly number[],
  columns: readonly Column[],
  width: number,
): readonly ShownColumn[] {
  let kept = natural.map((own, index) => ({ index, own }));
  for (;;) {
    const shrunk = shrink(kept, columns, width);
    const dropped = kept.findLast(({ index }) => columns[index]?.isOptional === true);
    if (totalOf(shrunk) <= width || dropped === undefined) return shrunk;
    kept = kept.filter((one) => one !== dropped);
  }
}

function shrink(
  kept: readonly ShownColumn[],
  columns: readonly Column[],
  width: number,
): readonly ShownColumn[] {
  const widths = kept.map(({ own }) => own);
  for (let over = totalOf(kept) - width; over > 0; over -= 1) {
    let widest = -1;
    for (const [at, { index }] of kept.entries()) {
      const own = widths[at] ?? 0;
      const least = columns[index]?.least ?? Infinity;
      if (own > least && own > (widths[widest] ?? 0)) widest = at;
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return kept.map((one, at) => ({ ...one, own: widths[at] ?? 0 }));
}

function totalOf(columns: readonly ShownColumn[]): number {
  const gaps = Math.max(0, columns.length - 1) * GAP.length;
  return columns.reduce((sum, { own }) => sum + own, gaps);
}
