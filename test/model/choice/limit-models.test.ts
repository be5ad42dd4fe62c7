import { describe, expect, it } from 'vitest';
import { limitModels, type ModelRules } from '../../../src/model/choice/limit-models.js';

/** The limits of one file. */
const limits = ({
  available,
  denied = [],
  ...rest
}: { available?: readonly string[]; denied?: readonly string[] } & Partial<
  Pick<ModelRules, 'coversDefault' | 'isExact'>
>) =>
  limitModels({
    available: available && { names: available, place: '/a' },
    denied: denied.map((name) => ({ name, place: '/d' })),
    isExact: false,
    coversDefault: false,
    ...rest,
  });

describe('availableModels', () => {
  it.each([
    [['sonnet'], 'claude-sonnet-4-5-20250929', true],
    [['sonnet'], 'us.anthropic.claude-sonnet-4-5-v1:0', true],
    [['Sonnet'], 'claude-3-5-sonnet-20241022', true],
    [['sonnet'], 'claude-opus-5-5', false],
    [['sonnet'], 'claude-sonnet-opus-5', false],
    [['claude-sonnet-4-5'], 'claude-sonnet-4-5-20250929', true],
    [['sonnet-4.5'], 'claude-sonnet-4-5[1m]', true],
    [['claude-opus-5'], 'claude-opus-5-5', true],
    [['claude-opus-5'], 'claude-opus-51', false],
    [['route/claude-opus-5'], 'claude-opus-5', false],
    [['claude-opus-5'], 'route/claude-opus-5', false],
    [['sonnet', 'claude-sonnet-4-5'], 'claude-sonnet-5-5', false],
    [['sonnet', 'claude-sonnet-4-5'], 'claude-sonnet-4-5', true],
    [['qwen3'], 'qwen3-coder', true],
    [['best', 'default'], 'claude-opus-5-5', false],
    [[], 'claude-opus-5-5', false],
  ])('%j permits %s: %s', (available, id, isPermitted) => {
    expect(limits({ available }).permit(id, {}) !== undefined).toBe(isPermitted);
  });

  it.each([
    ['claude-opus-5', true],
    ['claude-opus-5-20260101', true],
    ['claude-opus-5-fast', true],
    ['claude-opus-5-5', false],
    ['claude-opus-5-latest', false],
  ])('with an exact match permits %s: %s', (id, isPermitted) => {
    const { permit } = limits({ available: ['claude-opus-5'], isExact: true });
    expect(permit(id, {}) !== undefined).toBe(isPermitted);
  });

  it('gives an alias the newest version of its family, whatever a variable says', () => {
    const { permit } = limits({
      available: ['sonnet', 'claude-opus-4-6', 'claude-opus-4-10', 'haiku-4-5'],
    });
    const env = { ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-opus-5-5' };
    expect(['opus', 'best', 'sonnet', 'haiku'].map((name) => permit(name, env))).toEqual([
      'claude-opus-4-10',
      'claude-opus-4-10',
      'claude-sonnet-5-5',
      'claude-haiku-4-5',
    ]);
  });

  it('leaves the default model, unless it covers that as well', () => {
    const available = ['fable', 'haiku'];
    expect(limits({ available }).permit('default', {})).toBe('claude-sonnet-5-5');
    expect(limits({ available, coversDefault: true }).permit('default', {})).toBe(
      'claude-fable-5-1',
    );
    const empty = limits({ available: [], coversDefault: true });
    expect(empty.permit('default', {})).toBe('claude-sonnet-5-5');
    const redirected = { ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-opus-5-5' };
    expect(empty.permit('default', redirected)).toBe('claude-sonnet-5-5');
  });

  it('says which file has which models', () => {
    expect(limits({ available: ['sonnet', 'haiku'] }).why('claude-opus-5-5')).toBe(
      'The model "claude-opus-5-5" may not be used: availableModels of /a does not have it. It has: sonnet, haiku.',
    );
    expect(limits({ available: [] }).why('claude-opus-5-5')).toBe(
      'The model "claude-opus-5-5" may not be used: availableModels of /a does not have it. It has: none but the default model.',
    );
  });
});

describe('deniedModels', () => {
  it.each([
    ['opus', 'bedrock/us.anthropic.claude-opus-4-6-v1:0', true],
    ['opus', 'claude-3-opus-20240229', true],
    ['opus', 'claude-sonnet-5-5', false],
    ['claude-opus-5-5', 'anthropic/claude-opus-5.5-20261001', true],
    ['claude-opus-5-5', 'claude-opus-5-5-fast', true],
    ['claude-opus-5-5', 'claude-opus-5', false],
    ['claude-opus-5', 'claude-opus-5-5', true],
    ['claude-opus-5', 'claude-opus-4-6', false],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5', true],
    ['gpt-5', 'openai/gpt-5-mini', true],
    ['best', 'claude-opus-5-5', false],
  ])('%s denies %s: %s', (denied, id, isDenied) => {
    const { permit, mayAsk } = limits({ denied: [denied] });
    expect([permit(id, {}) === undefined, !mayAsk(id)]).toEqual([isDenied, isDenied]);
  });

  it('are stronger than the list of those that are available', () => {
    const { permit, why } = limits({ available: ['opus'], denied: ['claude-opus-5-5'] });
    expect(permit('opus', {})).toBe(undefined);
    expect(why('claude-opus-5-5')).toContain('deniedModels of /d has it');
    expect(permit('claude-opus-4-6', {})).toBe('claude-opus-4-6');
  });

  it('leave another default model, or none', () => {
    expect(limits({ denied: ['sonnet'] }).permit('default', {})).toBe('claude-haiku-5-5');
    expect(limits({ denied: ['sonnet', 'haiku'] }).permit('default', {})).toBe(undefined);
  });
});

describe('the small model', () => {
  it('is available without being named, but no variable makes it another one', () => {
    const env = { ANTHROPIC_SMALL_FAST_MODEL: 'claude-opus-5-5' };
    const { small, mayAsk } = limits({ available: ['sonnet'] });
    expect([small({}), small(env)]).toEqual(['claude-haiku-5-5', 'claude-haiku-5-5']);
    expect(mayAsk('claude-haiku-5-5')).toBe(true);
    expect(limits({ available: ['opus'] }).small(env)).toBe('claude-opus-5-5');
    expect(limits({ denied: ['haiku'] }).small({})).toBe(undefined);
  });
});
