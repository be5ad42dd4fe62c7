import { expect, it } from 'vitest';
import { amount } from '../../../src/core/text/amount.js';

it.each([
  [0, '0 lines'],
  [1, '1 line'],
  [999, '999 lines'],
  [1_000, '1,000 lines'],
  [1_234_567, '1,234,567 lines'],
])('an amount of %d reads %j', (count, text) => {
  expect(amount(count, 'line')).toBe(text);
});
