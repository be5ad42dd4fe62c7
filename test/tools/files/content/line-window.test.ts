import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineWindow } from '../../../../src/tools/files/content/line-window.js';

describe('createLineWindow', () => {
  it('gives the same lines however the text is cut into pieces', () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '') }));
    fc.assert(
      fc.property(pieces, fc.nat(5), fc.nat(5), (texts, skipped, limit) => {
        const window = createLineWindow(skipped + 1, limit + 1, 1_000);
        for (const text of texts) window.push(text);
        window.end();
        const lines = texts.join('').split('\n');
        if (lines.at(-1) === '') lines.pop();
        expect(window.result()).toEqual({
          lines: lines.slice(skipped, skipped + limit + 1).map((line) => line.replace(/\r$/, '')),
          seen: lines.length,
          isCut: false,
        });
      }),
    );
  });

  it('keeps at least one line, and stops before too much text', () => {
    const window = createLineWindow(1, 10, 5);
    window.push('123456789\n1\n');
    expect(window.isFull()).toBe(true);
    expect(window.result()).toEqual({ lines: ['123456789'], seen: 2, isCut: true });
  });
});
