import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { loadTextWidth } from '../../../src/cli/output/text-width.js';
import { createWordWrap } from '../../../src/cli/output/word-wrap.js';

const width = await loadTextWidth();

function wrap(pieces: readonly string[], columns: number | undefined): string {
  const words = createWordWrap(width, () => columns);
  return [...pieces, '\n'].map(words.push).join('').replace(/\n$/, '');
}

describe('streamed text', () => {
  it.each([
    [
      'moves a word at the edge to the next line whole',
      ['one two th', 'ree'],
      10,
      'one two\nthree',
    ],
    ['keeps a line that just fits', ['one two ab', '\nnext'], 10, 'one two ab\nnext'],
    ['drops the blanks at a break only', ['  one   two'], 8, '  one\ntwo'],
    ['breaks a word that is longer than a line', ['abcdefghijkl mn'], 5, 'abcde\nfghij\nkl mn'],
    [
      'breaks a long path behind a folder, so that no position stands alone',
      ['see /home/u/long-project/src/file.ts:6.'],
      32,
      'see /home/u/long-project/src/\nfile.ts:6.',
    ],
    [
      'breaks a long path in a name that is longer than half a line',
      ['/a/bcdefghij'],
      8,
      '/a/bcdef\nghij',
    ],
    ['keeps line ends and empty lines', ['a\n', '\nb\n'], 10, 'a\n\nb\n'],
    [
      'counts two columns for a wide character, and breaks between them',
      ['漢字漢', '字 ab'],
      5,
      '漢字\n漢字\nab',
    ],
    [
      'keeps a family that comes in pieces',
      ['ab \u{1f469}', '\u200d', '\u{1f469}\u200d\u{1f467}'],
      4,
      'ab\n\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
    ],
    ['keeps a mark with its letter', ['abcde', '\u0301 f'], 5, 'abcde\u0301\nf'],
    [
      'keeps a flag that comes in halves',
      ['abc\u{1f1e9}', '\u{1f1ea}'],
      4,
      'abc\n\u{1f1e9}\u{1f1ea}',
    ],
    ['is left as it is without a terminal', ['one two th', 'ree'], undefined, 'one two three'],
  ])('%s', (_, pieces, columns, text) => {
    expect(wrap(pieces, columns)).toBe(text);
  });

  it('is the same however it is cut into pieces, fits, and loses nothing but blanks', () => {
    const texts = fc.string({
      unit: fc.constantFrom(...'ab/  \n漢é', '\u0301', '\u200d', '\u{1f469}', '\u{1f1e9}'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 12 }), (text, columns) => {
        const whole = wrap([text], columns);
        expect(wrap([...text], columns)).toBe(whole);
        expect(whole.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
        for (const line of whole.split('\n'))
          expect(width.of(line.trim())).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('waits with the newest word only', () => {
    const words = createWordWrap(width, () => 20);
    expect([words.push('one two'), words.push(' '), words.push('three'), words.push('\n')]).toEqual(
      ['one', ' two', '', ' three\n'],
    );
  });
});
