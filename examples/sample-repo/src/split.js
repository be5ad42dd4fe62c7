/** Amounts are whole cents: 1250 is 12.50. */

/**
 * Splits an amount between people. The shares add up to the amount, and no two differ by more than
 * one cent; the first ones pay the cents that cannot be divided.
 */
export function split(amount, people) {
  if (!Number.isInteger(amount) || amount < 0) throw new RangeError(`Not an amount: ${amount}`);
  if (!Number.isInteger(people) || people < 1)
    throw new RangeError(`Not a number of people: ${people}`);
  const share = Math.floor(amount / people);
  const rest = amount % people;
  return Array.from({ length: people }, (_, index) => (index <= rest ? share + 1 : share));
}

/** `1250` as `12.50`. */
export function formatAmount(amount) {
  const cents = String(amount % 100).padStart(2, '0');
  return `${Math.floor(amount / 100)}.${cents}`;
}

/** Reads `12`, `12.5` and `12.50`. Throws a SyntaxError for all else. */
export function parseAmount(text) {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (match === null) throw new SyntaxError(`Not an amount: "${text}"`);
  const [, whole, cents = ''] = match;
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
}
