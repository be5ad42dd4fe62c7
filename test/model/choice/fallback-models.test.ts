import { describe, expect, it } from 'vitest';
import { toFallbackModels } from '../../../src/model/choice/fallback-models.js';

describe('toFallbackModels', () => {
  it.each([
    [undefined, []],
    ['haiku', ['claude-haiku-5-5']],
    ['haiku, my-model,haiku', ['claude-haiku-5-5', 'my-model']],
    [['my-model'], ['my-model']],
  ])('reads %j as %j', (named, models) => {
    expect(toFallbackModels(named, 'sonnet')).toEqual(models);
  });

  it.each([
    ['sonnet', /"claude-sonnet-5-5" is the model itself/],
    ['haiku,claude-sonnet-5-5', /is the model itself/],
    ['', /has no name/],
    ['haiku,', /has no name/],
    [[], /has no name/],
  ])('refuses %j', (named, message) => {
    expect(() => toFallbackModels(named, 'sonnet')).toThrow(message);
  });
});
