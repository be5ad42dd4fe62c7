import { describe, expect, it } from 'vitest';
import { RUN_TOPICS } from '../../../src/cli/arguments/flag-table.js';
import {
  listModelAliases,
  requireModelName,
  resolveModelName,
  smallModel,
} from '../../../src/model/choice/aliases.js';
import { contextWindowOf } from '../../../src/model/choice/context-window.js';

describe('resolveModelName', () => {
  it.each([
    ['sonnet', 'claude-sonnet-5-5'],
    ['opus', 'claude-opus-5-5'],
    ['haiku', 'claude-haiku-5-5'],
    ['fable', 'claude-fable-5-1'],
    ['best', 'claude-opus-5-5'],
    ['default', 'claude-sonnet-5-5'],
    ['opusplan', 'claude-sonnet-5-5'],
    ['Sonnet', 'claude-sonnet-5-5'],
    ['sonnet[1m]', 'claude-sonnet-5-5'],
    ['opus[1M]', 'claude-opus-5-5'],
    ['claude-sonnet-4-5[1m]', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['toString', 'toString'],
  ])('takes %s as %s', (model, id) => {
    expect(resolveModelName(model)).toBe(id);
  });

  it.each([
    ['sonnet', 'ANTHROPIC_DEFAULT_SONNET_MODEL'],
    ['default', 'ANTHROPIC_DEFAULT_SONNET_MODEL'],
    ['opus[1m]', 'ANTHROPIC_DEFAULT_OPUS_MODEL'],
    ['best', 'ANTHROPIC_DEFAULT_OPUS_MODEL'],
    ['haiku', 'ANTHROPIC_DEFAULT_HAIKU_MODEL'],
    ['fable', 'ANTHROPIC_DEFAULT_FABLE_MODEL'],
  ])('takes %s from %s', (model, variable) => {
    expect(resolveModelName(model, { [variable]: 'house-model[1m]' })).toBe('house-model');
    expect(resolveModelName(model, { [variable]: '' })).toBe(resolveModelName(model));
  });

  it('leaves an ID alone, whatever the variables say', () => {
    const env = { ANTHROPIC_DEFAULT_OPUS_MODEL: 'house-model' };
    expect(resolveModelName('claude-opus-5-5', env)).toBe('claude-opus-5-5');
  });

  it('gives every alias with [1m] a window of a million tokens', () => {
    for (const alias of ['sonnet', 'opus', 'haiku', 'fable'])
      expect(contextWindowOf(resolveModelName(`${alias}[1m]`))).toBe(1_000_000);
  });
});

describe('smallModel', () => {
  it('is Haiku unless a variable names another', () => {
    expect(smallModel({})).toBe('claude-haiku-5-5');
    expect(smallModel({ ANTHROPIC_DEFAULT_HAIKU_MODEL: 'house-small' })).toBe('house-small');
    expect(smallModel({ ANTHROPIC_SMALL_FAST_MODEL: 'sonnet' })).toBe('claude-sonnet-5-5');
  });
});

describe('requireModelName', () => {
  const gateway = { baseURL: 'http://127.0.0.1:9/v1' };

  it.each(['sonnet', 'Opus[1m]', 'best', 'opusplan', 'claude-opus-5-5', 'claude-next-9[1m]'])(
    'takes %s at any address',
    (name) => {
      expect(() => requireModelName(name)).not.toThrow();
      expect(() => requireModelName(name, gateway)).not.toThrow();
    },
  );

  it.each([
    ['sonet', 'sonnet'],
    ['sonet[1m]', 'sonnet'],
    ['hiaku', 'haiku'],
    ['opsu', 'opus'],
  ])('asks of %s whether %s was meant', (name, meant) => {
    expect(() => requireModelName(name)).toThrow(
      `The model is "${name}", which does not exist. Did you mean ${meant}?`,
    );
  });

  it('refuses a name that is no Claude model at the first-party address only', () => {
    for (const baseURL of ['', 'https://api.anthropic.com', 'https://api.anthropic.com/'])
      expect(() => requireModelName('gpt-4o', { baseURL })).toThrow(
        /"gpt-4o", which is not a Claude model.*sonnet.*ANTHROPIC_BASE_URL/,
      );
    for (const name of ['gpt-4o', 'opus4', 'test', 'us.anthropic.claude-opus-5-5-v1:0'])
      expect(() => requireModelName(name, gateway)).not.toThrow();
    expect(() => requireModelName('sonet', gateway)).toThrow('Did you mean sonnet?');
  });

  it.each(['scripted', 'scripted:'])('says that %s needs a file', (name) => {
    expect(() => requireModelName(name, gateway)).toThrow('scripted:FILE needs a file');
  });

  it.each(['', '  ', '[1m]'])('refuses the empty name "%s"', (name) => {
    expect(() => requireModelName(name, gateway)).toThrow('The model has no name.');
  });
});

describe('the help of --model', () => {
  it('lists all aliases', () => {
    const aliases = listModelAliases().map(({ alias }) => alias);
    expect(RUN_TOPICS['Model and limits']['--model'].help).toContain(`(${aliases.join(', ')})`);
  });
});
