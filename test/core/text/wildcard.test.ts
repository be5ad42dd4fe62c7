import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesWildcard, wildcardsMeet } from '../../../src/core/text/wildcard.js';

const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });
const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });

describe('matchesWildcard', () => {
  it('matches what a regular expression would', () => {
    fc.assert(
      fc.property(pattern, text, (wildcard, plain) => {
        const expression = new RegExp(`^${wildcard.replace(/\*/g, '[ab]*')}$`);
        expect(matchesWildcard(wildcard, plain)).toBe(expression.test(plain));
      }),
    );
  });
});

describe('wildcardsMeet', () => {
  it('is true wherever one text is matched by both', () => {
    fc.assert(
      fc.property(pattern, pattern, text, (a, b, plain) => {
        fc.pre(matchesWildcard(a, plain) && matchesWildcard(b, plain));
        expect(wildcardsMeet(a, b)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('is false for patterns without a common text', () => {
    const pairs = [
      ['a*', 'b*'],
      ['*a', '*b'],
      ['.e*', '*.pem'],
      ['a', ''],
      ['a*b', 'a'],
    ] as const;
    expect(pairs.filter(([a, b]) => wildcardsMeet(a, b))).toEqual([['.e*', '*.pem']]);
  });
});
