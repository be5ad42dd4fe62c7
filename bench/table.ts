import type { Line } from './row.js';
import { verdictOf } from './verdict.js';

const HEADINGS = {
  what: 'what',
  floor: 'floor',
  ours: 'Troupe',
  ratio: 'ratio [95 %]',
  goal: 'goal',
  verdict: '',
};
const COLUMNS = ['what', 'floor', 'ours', 'ratio', 'goal', 'verdict'] as const;

/** A Markdown table whose columns line up. */
export function formatTable(lines: readonly Line[]): string {
  const rows = [HEADINGS, ...lines.map((line) => ({ ...line, verdict: verdictOf(line) ?? '' }))];
  const widths = COLUMNS.map((column) => Math.max(...rows.map((row) => row[column].length)));
  const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const [headings, ...body] = rows.map((row) =>
    toRow(COLUMNS.map((column, index) => row[column].padEnd(widths[index] ?? 0))),
  );
  const rule = toRow(widths.map((width) => '-'.repeat(width)));
  return [headings, rule, ...body].join('\n');
}
