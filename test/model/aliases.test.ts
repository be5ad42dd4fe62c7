import { describe, expect, it } from 'vitest';
import { resolveModelAlias } from '../../src/model/aliases.js';

describe('resolveModelAlias', () => {
  it.each([
    ['sonnet', 'claude-sonnet-5-5'],
    ['opus', 'claude-opus-5-5'],
    ['haiku', 'claude-haiku-5-5'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['toString', 'toString'],
  ])('takes %s as %s', (model, id) => {
    expect(resolveModelAlias(model)).toBe(id);
  });
});
