import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileMatcher } from '../../../src/permissions/paths/path-matcher.js';

it('takes time in the order of the lengths, however many wildcards there are', () => {
  const path = `${'a/'.repeat(500)}${'a'.repeat(500)}`;
  const before = performance.now();
  for (const pattern of ['**/'.repeat(20), '**/a/'.repeat(20), '*a'.repeat(20), '**a'.repeat(20)])
    expect(compileMatcher(`${pattern}b`)?.matches(path)).toBe(false);
  expect(performance.now() - before).toBeLessThan(2_000);
});

it('takes a character of two halves for one', () => {
  expect(
    ['?.md', '[😀-😂].md'].map((text) =>
      compileMatcher(text, { readsSets: true })?.matches('😀.md'),
    ),
  ).toEqual([true, true]);
});

it('answers the same, whatever paths came before', () => {
  const pattern = fc.array(fc.constantFrom('a', 'b', '/', '.', '*', '**/', '**', '?'), {
    maxLength: 8,
  });
  const path = fc.array(fc.constantFrom('a', 'b', '/', '.', 'é', '😀'), { maxLength: 30 });
  const paths = fc.array(
    path.map((parts) => parts.join('')),
    { minLength: 100, maxLength: 300 },
  );
  fc.assert(
    fc.property(pattern, paths, fc.boolean(), (parts, all, coversBelow) => {
      const compile = () => compileMatcher(parts.join(''), { coversBelow });
      const { matches } = compile()!; // no pattern here holds a set
      expect(all.map((one) => compile()?.matches(one))).toEqual(all.map(matches));
    }),
    { numRuns: 50 },
  );
});
