import { describe, expect, it } from 'vitest';
import { MAX_MODEL_TRIES, retryDelayMs } from '../../../src/model/errors/retry-policy.js';

describe('retryDelayMs', () => {
  it('doubles from half a second to eight, and gives up after eight tries', () => {
    const delays = Array.from({ length: MAX_MODEL_TRIES }, (_, index) =>
      retryDelayMs(index + 1, undefined, 0),
    );
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, undefined]);
  });

  it('takes off up to a quarter at random', () => {
    expect(retryDelayMs(1, undefined, 0.5)).toBe(437.5);
  });

  it('waits as long as the server asks, a little longer at random, never above a minute', () => {
    expect(retryDelayMs(1, 10_000, 0.4)).toBe(11_000);
    expect(retryDelayMs(1, 3_600_000, 0.4)).toBe(60_000);
    expect(retryDelayMs(8, 100, 0)).toBeUndefined();
  });

  it.each([0, -5_000, 100])('never waits shorter for a server that asks for %d ms', (asked) => {
    expect(retryDelayMs(1, asked, 0)).toBe(500);
    expect(retryDelayMs(6, asked, 0.4)).toBe(7_200);
  });
});
