import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount, parseAmount, split } from '../src/split.js';

/** The problem of these shares, or undefined. */
function faultOf(amount, people, shares) {
  const sum = shares.reduce((total, share) => total + share, 0);
  if (shares.length !== people) return `${shares.length} shares for ${people} people`;
  if (sum !== amount) return `the shares add up to ${sum}`;
  if (Math.max(...shares) - Math.min(...shares) > 1) return 'two shares differ by more than a cent';
  return undefined;
}

test('every amount is split into fair shares that add up to it', () => {
  let faults = 0;
  let first;
  for (let amount = 0; amount <= 20_000; amount += 1) {
    for (let people = 1; people <= 24; people += 1) {
      const fault = faultOf(amount, people, split(amount, people));
      if (fault !== undefined) {
        faults += 1;
        first ??= `split(${amount}, ${people}): ${fault}`;
      }
    }
  }
  assert.equal(faults, 0, `${faults} faults, the first: ${first}`);
});

test('an amount that is not whole, or nobody to pay it, is refused', () => {
  assert.throws(() => split(10.5, 2), RangeError);
  assert.throws(() => split(-1, 2), RangeError);
  assert.throws(() => split(100, 0), RangeError);
});

test('an amount is read as it was printed', () => {
  for (let amount = 0; amount <= 20_000; amount += 1) {
    assert.equal(parseAmount(formatAmount(amount)), amount);
  }
  assert.equal(parseAmount('12.5'), 1250);
  assert.throws(() => parseAmount('12,50'), SyntaxError);
});
