import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../../src/core/usage.js';
import { costUsd } from '../../src/model/prices.js';

const million = 1_000_000;
const all = {
  input_tokens: million,
  output_tokens: million,
  cache_creation_input_tokens: million,
  cache_read_input_tokens: million,
};

describe('costUsd', () => {
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

  it.each(['claude-sonnet-9', 'scripted', 'constructor', ''])(
    'does not know what %j costs',
    (model) => {
      expect(costUsd(model, all)).toBeUndefined();
    },
  );
});
