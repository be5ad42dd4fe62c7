import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  oneLine,
  printable,
  printableLine,
  shorten,
  unmistakable,
} from '../../../src/core/text/printable.js';

const PERSIAN = 'نمی\u200cخواهم';
const HINDI = 'क्\u200dष';
const FAMILY = '👩\u200d👩\u200d👧';
const PIRATE = '🏴\u200d☠\ufe0f';
/** A letter with its dot, a dagesh, a vowel and an accent. */
const HEBREW = '\u05e9\u05c1\u05bc\u05b8\u0596';
const SHRUG = '🤷🏽\u200d♀\ufe0f';

describe('printable', () => {
  it.each([
    ['an escape', '\u001b[2J', '\\u001b[2J'],
    ['a carriage return', 'a\rb', 'a\\u000db'],
    ['a C1 control', '\u009b2J', '\\u009b2J'],
    ['a direction override', '\u202egpj.exe', '\\u202egpj.exe'],
    ['a direction isolate', '\u2066x\u2069', '\\u2066x\\u2069'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a tag that nobody sees', 'a\u{e0041}', 'a\\ue0041'],
    ['half a character', 'a\ud800b', 'a\\ud800b'],
    ['a joiner beside a blank', 'a \u200db', 'a \\u200db'],
    [
      'marks that cover other lines',
      `a${'\u0301'.repeat(8)}b`,
      `a${'\u0301'.repeat(6)}\\u0301\\u0301b`,
    ],
    ['joiners in a row', 'a\u200d\u200db', 'a\\u200d\\u200db'],
  ])('spells out %s', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it.each([PERSIAN, HINDI, FAMILY, PIRATE, SHRUG, HEBREW, 'Silben\u00adtrennung', 'a\n\tb'])(
    'leaves %j as it is',
    (text) => {
      expect(printable(text)).toBe(text);
    },
  );

  it('lets no control or direction character through, and is the same twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = printable(text);
        expect(shown).not.toMatch(/(?![\n\t])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        expect(printable(shown)).toBe(shown);
        expect(printableLine(text)).not.toContain('\n');
      }),
    );
  });
});

describe('printableLine', () => {
  it('makes a blank of a newline, so that no text begins its own line', () => {
    expect(printableLine('one \n\ntroupe: all is well')).toBe('one troupe: all is well');
    expect(printableLine('  indented')).toBe('  indented');
  });
});

describe('oneLine', () => {
  it('cuts between characters as people see them', () => {
    expect(oneLine(`${FAMILY}${FAMILY}${FAMILY}`, 2)).toBe(`${FAMILY}…`);
    expect(oneLine(' a\n  b ', 10)).toBe('a b');
  });
});

describe('shorten', () => {
  it('ends between words, and within one only if that is most of the line', () => {
    const text = 'Permission was\ndenied by a rule';
    expect([25, 22, 20, 12].map((width) => shorten(text, width))).toEqual([
      'Permission was denied by…',
      'Permission was denied…',
      'Permission was …',
      'Permission …',
    ]);
    expect([shorten(text, 31), shorten(text, 8)]).toEqual([
      'Permission was denied by a rule',
      'Permiss…',
    ]);
  });
});

describe('unmistakable', () => {
  it.each([PERSIAN, HINDI, FAMILY, PIRATE, SHRUG])('leaves %j as it is', (text) => {
    expect(unmistakable(text)).toBe(text);
  });

  it.each([
    ['a joiner between Latin letters', 'r\u200dm', 'r\\u200dm'],
    ['a soft hyphen', 'pass\u00adword', 'pass\\u00adword'],
    ['a filler that looks like nothing', 'a\u3164b', 'a\\u3164b'],
    ['a variation that nobody sees', 'a\ufe01', 'a\\ufe01'],
    ['a blank pattern', 'a\u2800b', 'a\\u2800b'],
  ])('spells out %s', (_, text, shown) => {
    expect(unmistakable(text)).toBe(shown);
  });
});

describe('a text of many megabytes on one line', () => {
  it.each(['x\u001b[31m\nforged ', ' ', 'e\u0301', 'word '])('is cut at once: %j', (part) => {
    const text = part.repeat(4_000_000);
    const start = performance.now();
    expect(oneLine(`a${text}`, 60).length).toBeLessThan(60 * 64);
    expect(shorten(`a${text}`, 60).length).toBeLessThan(60 * 64);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('ends with a mark that something is left out', () => {
    expect(oneLine(`a${' '.repeat(100_000)}b`, 10)).toBe('a …');
  });
});
