import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import stringWidth from 'string-width';
import {
  lateTextWidth,
  loadTextWidth,
  NARROW,
  type TextWidth,
} from '../../../src/cli/output/text-width.js';

let measure: TextWidth;
beforeAll(async () => {
  measure = await loadTextWidth();
});

const FAMILY = '👩‍👩‍👧';
const pieces = fc.array(fc.constantFrom('a', ' ', '/', '字', 'e\u0301', FAMILY, 'می\u200cخ'), {
  maxLength: 600,
});

describe('the width of texts', () => {
  it('is that of the whole characters, in a long text too', () => {
    expect(measure.of(FAMILY.repeat(500))).toBe(1_000);
    expect(measure.of('e\u0301'.repeat(900))).toBe(900);
    expect(measure.of(`e${'\u0301'.repeat(5_000)}`)).toBe(1);
    expect(measure.cut('字'.repeat(600), 11)).toBe(`${'字'.repeat(5)}…`);
  });

  it('breaks texts to lines that fit and lose nothing but blanks', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 4, max: 700 }), (parts, width) => {
        const text = parts.join('');
        const lines = measure.wrap(text, width);
        expect(lines.filter((line) => measure.of(line) > width)).toEqual([]);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        expect(measure.of(measure.cut(text, width))).toBeLessThanOrEqual(width);
      }),
      { numRuns: 60 },
    );
  });

  it('takes 20,000 wide characters without a blank, and a million others, at once', () => {
    expect(measure.wrap('字'.repeat(20_000), 40)).toEqual(
      Array.from({ length: 1_000 }, () => '字'.repeat(20)),
    );
    expect(measure.wrap('x'.repeat(1_000_000), 40)).toHaveLength(25_000);
  });

  it('needs no library for narrow characters', () => {
    const narrow = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => NARROW.test(character),
    );
    expect(narrow.filter((character) => stringWidth(character) !== 1)).toEqual([]);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...narrow)), (characters) => {
        expect(stringWidth(characters.join(''))).toBe(characters.length);
      }),
    );
  });

  it('is there before its library, and true behind it', async () => {
    const late = lateTextWidth();
    expect([late.of('── ok'), late.of('字')]).toEqual([5, 1]);
    await late.load();
    expect([late.of('── ok'), late.of('字')]).toEqual([5, 2]);
  });
});
