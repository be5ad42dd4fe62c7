import { expect, it } from 'vitest';
import { compileMatcher } from '../../../src/permissions/paths/path-matcher.js';

it('takes time in the order of the lengths, however many wildcards there are', () => {
  const path = `${'a/'.repeat(500)}${'a'.repeat(500)}`;
  const before = performance.now();
  for (const pattern of ['**/'.repeat(20), '**/a/'.repeat(20), '*a'.repeat(20), '**a'.repeat(20)])
    expect(compileMatcher(`${pattern}b`)?.(path)).toBe(false);
  expect(performance.now() - before).toBeLessThan(2_000);
});

it('takes a character of two halves for one', () => {
  expect(
    ['?.md', '[😀-😂].md'].map((text) => compileMatcher(text, { readsSets: true })?.('😀.md')),
  ).toEqual([true, true]);
});
