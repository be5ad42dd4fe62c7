import { expect, it } from 'vitest';
import { nameSome } from '../../../src/core/text/name-some.js';

it('names all that there are, or the first of them and how many are left', () => {
  expect([
    nameSome([], 2),
    nameSome(['a'], 2),
    nameSome(['a', 'b'], 2),
    nameSome(['a', 'b', 'c'], 2),
  ]).toEqual(['', 'a', 'a, b', 'a, b and 1 more']);
});
