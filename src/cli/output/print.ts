import { printableLine } from '../../api/text.js';
import { openStderr, openStdout } from './output-writer.js';
import { shortenPaths } from './short-path.js';
import { toTable, type Column } from './table.js';
import { loadTextWidth } from './text-width.js';

/** Write lines to stdout, broken between words on a terminal; stop if the reader is gone. */
export async function printLines(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const writer = openStdout();
  for await (const line of lines) {
    if (writer.isBroken) return;
    await writer.text(line);
  }
}

/** Write one line of JSON for each value. */
export async function printJson(values: Iterable<unknown> | AsyncIterable<unknown>): Promise<void> {
  const writer = openStdout();
  for await (const value of values) {
    if (writer.isBroken) return;
    await writer.data(`${JSON.stringify(value)}\n`);
  }
}

/** Write warnings to stderr, one a line. */
export function warn(lines: Iterable<string>): void {
  const writer = openStderr();
  for (const line of lines) void writer.line(`troupe: ${line}`);
}

/** Write rows as a table to stdout: as wide as the terminal, or whole if stdout is not a terminal. */
export async function printTable(
  rows: readonly (readonly string[])[],
  columns: readonly Column[] = [],
): Promise<void> {
  await printLines(await toTable(rows, { columns, width: openStdout().columns }));
}

/** A narrower terminal shows blocks instead of tables. */
const LEAST_FOR_TABLE = 60;

export function isNarrow(): boolean {
  return (openStdout().columns ?? Infinity) < LEAST_FOR_TABLE;
}

/**
 * Write blocks to a narrow terminal: a line, and its details below, each on one line that the terminal wraps. Long paths
 * lose folders at their beginning.
 */
export async function printBlocks(blocks: readonly (readonly string[])[]): Promise<void> {
  const { columns: width = Infinity } = openStdout();
  const lines = blocks.map((block) => block.map((part) => printableLine(part)));
  const { of } = await loadTextWidth(lines.flat());
  await printLines(
    lines.map(([head = '', ...below]) =>
      [head, ...below.map((text) => BELOW + shortenPaths(text, width - MOST_INDENT, of))].join(
        '\n',
      ),
    ),
  );
}

const BELOW = '    ';
/** The indent of a continued line. */
const MOST_INDENT = BELOW.length + 2;

/** Local time, to the second. */
export function timeOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
