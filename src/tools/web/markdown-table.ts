/** A table while it is read, row by row. */
export type Table = { readonly rows: string[][]; holdsTable: boolean };

/** Tables with one column, or with tables inside, are there for the layout: their cells become paragraphs. */
export function renderTable({ rows, holdsTable }: Table): readonly string[] {
  const filled = rows.filter((cells) => cells.some((cell) => cell !== ''));
  const isLayout = holdsTable || filled.every((cells) => cells.length < 2);
  if (isLayout) return filled.flat();
  const [head = [], ...body] = filled;
  const columns = Math.max(...filled.slice(0, 100).map((cells) => cells.length));
  const wide = [...head, ...Array.from({ length: columns - head.length }, () => '')];
  return [[toRow(wide), toRow(wide.map(() => '---')), ...body.map(toRow)].join('\n')];
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.map(toCell).join(' | ')} |`;
}

function toCell(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
}
