import { formatAmount } from './split.js';

/** Breaks a text into lines of at most `width` characters, each as full as it can be. A longer word stands alone. */
export function wrap(text, width) {
  const lines = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line === '') {
      line = word;
    } else if (line.length + 1 + word.length < width) {
      line += ` ${word}`;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** Lines up rows of cells: all columns as wide as their widest cell, the last one to the right. */
export function table(rows) {
  const widths = rows.reduce(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
      )
      .join('  '),
  );
}

/** The report for all persons: the reason, wrapped, and who pays how much. `shares` are `[person, cents]`. */
export function notice(reason, shares, width) {
  const rows = shares.map(([person, amount]) => [person, formatAmount(amount)]);
  return [...wrap(reason, width), '', ...table(rows)].join('\n');
}
