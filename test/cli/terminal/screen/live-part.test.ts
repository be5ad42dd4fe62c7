import xterm from '@xterm/headless';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLivePart, type DrawnFrame } from '../../../../src/cli/terminal/screen/live-part.js';
import { loadTextWidth, type TextWidth } from '../../../../src/cli/output/text-width.js';

let measure: TextWidth;
beforeAll(async () => {
  measure = await loadTextWidth();
});

const numbered = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}`);

/** A live part of a rule, an editor and two rows of status, on a terminal that reads late. */
async function sit(rule?: string, status = '  status') {
  const terminal = new xterm.Terminal({
    cols: 80,
    rows: 24,
    convertEol: true,
    allowProposedApi: true,
  });
  let columns = 80;
  let unread = '';
  const read = (): Promise<void> =>
    new Promise((resolve) => {
      terminal.write(unread, resolve);
      unread = '';
    });
  const control = async (codes: string): Promise<void> => void (unread += codes);
  const output = {
    control,
    get columns() {
      return columns;
    },
  };
  const part = createLivePart(output, measure);
  const frame = (): DrawnFrame => ({
    lines: [rule ?? '─'.repeat(columns), '> ', status, '  more status'],
    cursor: { x: 2, y: 1 },
  });
  const draw = (lines: readonly string[]): void =>
    part.draw(lines.map((line) => `${line}\n`).join(''), frame());
  await part.load(frame);
  draw(numbered(0, 40));
  await read();
  return {
    draw,
    read,
    /** The terminal has another size; the program learns it later. */
    resize: (toColumns: number, toRows: number) => terminal.resize(toColumns, toRows),
    /** The program learns the size of the terminal. */
    tell(): void {
      columns = terminal.cols;
      part.resize();
    },
    /** Row of the cursor among all rows. */
    cursor: () => terminal.buffer.active.baseY + terminal.buffer.active.cursorY,
    rows(): readonly string[] {
      const { active } = terminal.buffer;
      return Array.from({ length: active.length }, (_, row) =>
        (active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
      );
    },
  };
}

const ROWS_OF_STATUS = ['  status', '  more status'];

describe('createLivePart', () => {
  it.each([
    ['narrower', 60, 24],
    ['wider', 120, 24],
    ['lower', 80, 6],
    ['higher', 80, 40],
    ['narrower and lower', 60, 6],
  ])(
    'keeps each finished line if the terminal gets %s before it has read the last frames',
    async (_, columns, rows) => {
      const { draw, read, resize, tell, rows: shown } = await sit();
      draw(numbered(40, 43));
      resize(columns, rows);
      draw(numbered(43, 46));
      await read();
      tell();
      draw(numbered(46, 50));
      await read();
      expect(shown().filter((row) => row.startsWith('line'))).toEqual(numbered(0, 50));
      expect(
        shown()
          .slice(shown().indexOf('line 49') + 1)
          .filter((row) => row !== ''),
      ).toEqual(['─'.repeat(columns), '>', ...ROWS_OF_STATUS]);
    },
  );

  it('draws a line on one row if the terminal shows its characters wider than they are measured', async () => {
    const { draw, read, rows } = await sit('👩‍👩‍👧'.repeat(30));
    draw(numbered(40, 43));
    draw(numbered(43, 46));
    await read();
    expect(rows().filter((row) => row.includes('👩'))).toHaveLength(1);
    expect(rows().filter((row) => row.startsWith('line'))).toEqual(numbered(0, 46));
  });

  it('keeps the cursor in the editor if a status line is wider than the terminal has become', async () => {
    const { draw, read, resize, tell, rows, cursor } = await sit('─'.repeat(40), 's'.repeat(79));
    resize(60, 24);
    draw(numbered(40, 43));
    await read();
    expect(rows()[cursor()]).toBe('>');
    tell();
    draw(numbered(43, 46));
    await read();
    expect(rows()[cursor()]).toBe('>');
    expect(rows().filter((row) => row.startsWith('line'))).toEqual(numbered(0, 46));
    expect(rows().filter((row) => row.startsWith('ss'))).toEqual([`${'s'.repeat(59)}…`]);
  });

  it('leaves nothing of a frame if the terminal has read it before it gets narrower', async () => {
    const { draw, read, resize, tell, rows } = await sit();
    resize(60, 24);
    tell();
    draw(numbered(40, 43));
    await read();
    expect(rows().filter((row) => row !== '')).toEqual([
      ...numbered(0, 43),
      '─'.repeat(60),
      '>',
      ...ROWS_OF_STATUS,
    ]);
  });
});
