import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceText } from '../../../../src/tools/files/content/replace-text.js';

const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀') });
const mixed = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '\r', '😀') });
const wanted = letters.filter((text) => text !== '');

describe('replaceText', () => {
  it('does what String.replaceAll does if every line ends in LF', () => {
    fc.assert(
      fc.property(letters, wanted, letters, letters, (before, find, after, replacement) => {
        const text = before + find + after;
        const expected = text.replaceAll(find, () => replacement);
        const result = replaceText(text, { find, replacement, all: true });
        expect(result).toMatchObject({ status: 'replaced', text: expected });
      }),
    );
  });

  it('does the same if every line ends in CRLF', () => {
    fc.assert(
      fc.property(letters, wanted, letters, letters, (before, find, after, replacement) => {
        const text = `${before}${find}${after}\n`;
        const expected = text.replaceAll(find, () => replacement).replaceAll('\n', '\r\n');
        const crlf = text.replaceAll('\n', '\r\n');
        const result = replaceText(crlf, { find, replacement, all: true });
        expect(result).toMatchObject({ status: 'replaced', text: expected });
      }),
    );
  });

  it('names the line of each replacement in the new text', () => {
    fc.assert(
      fc.property(fc.array(letters, { minLength: 2 }), letters, (parts, replacement) => {
        const added = `<${replacement}`;
        const result = replaceText(parts.join('MARK'), {
          find: 'MARK',
          replacement: added,
          all: true,
        });
        const pieces = parts.join(added).split('<').slice(0, -1);
        const lines = pieces.map(
          (_, index) =>
            pieces
              .slice(0, index + 1)
              .join('')
              .split('\n').length,
        );
        expect(result).toMatchObject({ lines });
      }),
    );
  });

  it('changes nothing outside the passage, whatever the line endings', () => {
    fc.assert(
      fc.property(mixed, mixed, (before, after) => {
        const text = `${before}MARK${after}`;
        const result = replaceText(text, { find: 'MARK', replacement: 'x', all: false });
        expect(result).toMatchObject({ text: `${before}x${after}` });
      }),
    );
  });

  it('finds nothing if nothing is', () => {
    const result = replaceText('a\r\nb', { find: 'b\na', replacement: '', all: true });
    expect(result).toEqual({ status: 'not_found' });
  });
});
