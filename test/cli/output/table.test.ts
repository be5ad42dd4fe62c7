import { describe, expect, it } from 'vitest';
import { fitScreen, toTable } from '../../../src/cli/output/table.js';
import { loadTextWidth } from '../../../src/cli/output/text-width.js';

const ROWS = [
  ['id', 'state', 'what it is about'],
  ['a1', 'running', 'a long sentence that says much'],
  ['a2', 'done', 'short'],
];

describe('toTable', () => {
  it('is as wide as its cells without a terminal, and does not pad the last', async () => {
    expect(await toTable(ROWS, {})).toEqual([
      'id  state    what it is about',
      'a1  running  a long sentence that says much',
      'a2  done     short',
    ]);
  });

  it('narrows the columns that may be narrowed, and marks what is cut', async () => {
    expect(await toTable(ROWS, { width: 24, columns: [{}, {}, { least: 5 }] })).toEqual([
      'id  state    what it is…',
      'a1  running  a long sen…',
      'a2  done     short',
    ]);
  });

  it('wraps between words if a column says so', async () => {
    expect(
      await toTable(ROWS, { width: 26, columns: [{}, {}, { least: 5, wraps: true }] }),
    ).toEqual([
      'id  state    what it is',
      '             about',
      'a1  running  a long',
      '             sentence that',
      '             says much',
      'a2  done     short',
    ]);
  });

  it('keeps the end of a path if a column says so', async () => {
    const rows = [['deny', 'project settings, /home/ada/app/settings.json:5']];
    const columns = [{}, { least: 20, wraps: true, shortensPaths: true }];
    expect(await toTable(rows, { width: 28, columns })).toEqual([
      'deny  project settings,',
      '      …/app/settings.json:5',
    ]);
  });

  it('leaves columns out before the others say too little, the rightmost first', async () => {
    const columns = [{}, { isOptional: true }, { least: 14 }];
    expect(await toTable(ROWS, { width: 20, columns })).toEqual([
      'id  what it is about',
      'a1  a long sentence…',
      'a2  short',
    ]);
  });

  it('never prints a line that is wider than the terminal', async () => {
    for (let width = 1; width <= 60; width += 1) {
      const columns = [{}, { isOptional: true, least: 3 }, { least: 4, wraps: width % 2 === 0 }];
      const cells = [...ROWS, ['識別子', '走行中', 'ein 👩\u200d👩\u200d👧 und 漢字 Wort']];
      const text = await loadTextWidth();
      for (const line of await toTable(cells, { width, columns }))
        expect(text.of(line)).toBeLessThanOrEqual(Math.max(width, 1));
    }
  });

  it('counts columns of the terminal, not characters', async () => {
    expect(
      await toTable(
        [
          ['漢字', 'x'],
          ['👩\u200d👩\u200d👧', 'x'],
          ['abcd', 'x'],
          ['e\u0301', 'x'],
        ],
        {},
      ),
    ).toEqual(['漢字  x', '👩\u200d👩\u200d👧    x', 'abcd  x', 'e\u0301     x']);
  });

  it('keeps a cell on its line, and spells out what would steer the terminal', async () => {
    expect(
      await toTable(
        [
          ['a\nb', '\u001b[2J'],
          ['c', 'd'],
        ],
        {},
      ),
    ).toEqual(['a b  \\u001b[2J', 'c    d']);
  });
});

describe('fitScreen', () => {
  it('keeps the head and says how many lines are left out', () => {
    const lines = ['head', '1', '2', '3', '4'];
    expect(fitScreen(lines, 4)).toEqual(['head', '1', '… 3 more lines']);
    expect(fitScreen(lines, 6)).toEqual(lines);
    expect(fitScreen(lines)).toEqual(lines);
  });
});

describe('the width of text', () => {
  it('wraps at words, and breaks a word only if it is wider than the line', async () => {
    const text = await loadTextWidth();
    expect(text.wrap('one two  three', 7)).toEqual(['one two', 'three']);
    expect(text.wrap('in /home/u/project/settings.json:6.', 30)).toEqual([
      'in',
      '/home/u/project/',
      'settings.json:6.',
    ]);
    expect(text.wrap('abcdefghij k', 4)).toEqual(['abcd', 'efgh', 'ij k']);
    expect(text.wrap('漢字漢字', 5)).toEqual(['漢字', '漢字']);
    expect(text.wrap('a\n\nb', 5)).toEqual(['a', '', 'b']);
  });
});
