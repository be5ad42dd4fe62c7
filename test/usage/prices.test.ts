import { describe, expect, it } from 'vitest';
import { NO_USAGE, webSearches } from '../../src/core/tasks/usage.js';
import { createPriceTable, PRICES_AS_OF } from '../../src/usage/prices.js';

const million = 1_000_000;
const all = {
  input_tokens: million,
  output_tokens: million,
  cache_creation_input_tokens: million,
  cache_read_input_tokens: million,
};
const { costUsd, highest } = createPriceTable();

describe('createPriceTable', () => {
  it.each([
    ['claude-sonnet-4-5', 3 + 15 + 3.75 + 0.3],
    ['claude-sonnet-4-5-20250929', 3 + 15 + 3.75 + 0.3],
    ['claude-haiku-4-5-20251001', 1 + 5 + 1.25 + 0.1],
    ['claude-opus-4-5', 5 + 25 + 6.25 + 0.5],
    ['claude-opus-5-5', 4 + 20 + 5 + 0.2],
    ['claude-sonnet-5-5', 2 + 10 + 2.5 + 0.1],
  ])('prices a million tokens of each kind of %s', (model, expected) => {
    expect(costUsd(model, all)).toBeCloseTo(expected, 10);
  });

  it('prices a long prompt of claude-haiku-5-5 higher, output included', () => {
    const short = { ...NO_USAGE, input_tokens: 60_000, cache_read_input_tokens: 40_000 };
    expect(costUsd('claude-haiku-5-5', { ...short, output_tokens: 1_000 })).toBeCloseTo(0.0069, 10);
    const long = { ...short, input_tokens: 60_001, output_tokens: 1_000 };
    expect(costUsd('claude-haiku-5-5', long)).toBeCloseTo(0.0345005, 10);
  });

  it('prices a search at a cent, whatever the model', () => {
    const searched = { ...NO_USAGE, input_tokens: 1_000, ...webSearches(3) };
    expect(costUsd('claude-sonnet-4-5', searched)).toBeCloseTo(0.033, 10);
    expect(costUsd('claude-haiku-4-5', searched)).toBeCloseTo(0.031, 10);
  });

  it.each(['claude-sonnet-9', 'scripted', 'constructor', ''])(
    'does not know what %j costs',
    (model) => {
      expect(costUsd(model, all)).toBeUndefined();
      expect(highest(model, 1)).toBeUndefined();
    },
  );

  it('knows the most that a token can cost: a cache write, and the higher price once a prompt may be long', () => {
    expect(highest('claude-sonnet-4-5', 1_000_000)).toEqual({ prompt: 3.75, output: 15 });
    expect(highest('claude-haiku-5-5', 100_000)).toEqual({ prompt: 0.125, output: 0.5 });
    expect(highest('claude-haiku-5-5', 100_001)).toEqual({ prompt: 0.625, output: 2.5 });
  });

  it('takes prices that are given before its own, with and without the date of a snapshot', () => {
    const own = createPriceTable({
      'house-model': { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      'claude-sonnet-4-5': { input: 10, output: 20, cacheRead: 30 },
      'claude-opus-4-5-20251101': { input: 0, output: 0, cacheRead: 0 },
    });
    expect(own.costUsd('house-model', all)).toBeCloseTo(10, 10);
    expect(own.highest('house-model', 1)).toEqual({ prompt: 4, output: 2 });
    expect(own.costUsd('claude-sonnet-4-5-20250929', all)).toBeCloseTo(72.5, 10);
    expect(own.costUsd('claude-opus-4-5-20251101', all)).toBe(0);
    expect(own.costUsd('claude-opus-4-5', all)).toBeCloseTo(36.75, 10);
  });

  it('says which day its prices are from', () => {
    expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});
