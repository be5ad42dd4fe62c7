import { describe, expect, it } from 'vitest';
import { hangLine } from '../../../src/cli/output/hang-line.js';
import { loadTextWidth } from '../../../src/cli/output/text-width.js';

const { of } = await loadTextWidth();

describe('a line that is too long for the terminal', () => {
  it.each([
    ['is left as it is if it fits', 'one two', 7, 'one two'],
    ['continues between words, set in by two', 'one two three', 8, 'one two\n  three'],
    ['keeps its own indent', '  one two', 8, '  one\n    two'],
    ['continues below the text of a list', '- one two three', 9, '- one two\n  three'],
    [
      'continues a warning below its text',
      'troupe: one two three',
      16,
      'troupe: one two\n        three',
    ],
    [
      'keeps a long word whole, so that it can be copied',
      'resume 0123456789',
      8,
      'resume\n  0123456789',
    ],
    ['counts two columns for a wide character', '漢字 漢字', 8, '漢字\n  漢字'],
    ['is never set in by more than half', '          one two', 14, '          one\n  two'],
  ])('%s', (_, line, width, text) => {
    expect(hangLine(line, { width, of })).toBe(text);
  });

  it('continues at the column that the caller gives', () => {
    expect(hangLine('12:00  one two', { width: 12, of, indent: 5 })).toBe('12:00  one\n     two');
  });
});
