import type { Line } from './row.js';

const HEADINGS: Line = {
  what: 'what',
  floor: 'floor',
  ours: 'Troupe',
  ratio: 'ratio [95 %]',
  goal: 'goal',
};
const COLUMNS = ['what', 'floor', 'ours', 'ratio', 'goal'] as const;

/** A Markdown table whose columns line up. */
export function formatTable(lines: readonly Line[]): string {
  const widths = COLUMNS.map((column) =>
    Math.max(...[HEADINGS, ...lines].map((line) => line[column].length)),
  );
  const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const toLine = (line: Line): string =>
    toRow(COLUMNS.map((column, index) => line[column].padEnd(widths[index] ?? 0)));
  const rule = toRow(widths.map((width) => '-'.repeat(width)));
  return [toLine(HEADINGS), rule, ...lines.map(toLine)].join('\n');
}
