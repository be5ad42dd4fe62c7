import { createOutputWriter } from '../output-writer.js';
import { printable } from '../printable.js';

/** Writes lines to stdout; what nobody reads any more is left out. Control characters are made visible. */
export async function printLines(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const writer = createOutputWriter(process.stdout);
  for await (const line of lines) {
    if (writer.isBroken) return;
    await writer.write(`${printable(line)}\n`);
  }
}

/** Writes one line of JSON for each value. */
export async function printJson(values: Iterable<unknown> | AsyncIterable<unknown>): Promise<void> {
  const writer = createOutputWriter(process.stdout);
  for await (const value of values) {
    if (writer.isBroken) return;
    await writer.write(`${JSON.stringify(value)}\n`);
  }
}

/** Warnings go to stderr, one a line. */
export function warn(lines: Iterable<string>): void {
  for (const line of lines) process.stderr.write(`troupe: ${printable(line)}\n`);
}

/** Rows as columns, each as wide as its widest cell; the last is not filled up. */
export function toColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, [...cell].length);
  return rows.map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
}

/** Local time, to the second. */
export function timeOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
