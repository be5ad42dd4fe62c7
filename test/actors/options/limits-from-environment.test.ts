import { describe, expect, it } from 'vitest';
import {
  maxTokensOf,
  withThinkingOf,
} from '../../../src/actors/options/limits-from-environment.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createTroupe } from '../../support/troupe.js';

describe('maxTokensOf', () => {
  it('prefers the option to CLAUDE_CODE_MAX_OUTPUT_TOKENS, and that to the default', () => {
    const env = { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '8000' };
    expect([
      maxTokensOf(500, env),
      maxTokensOf(undefined, env),
      maxTokensOf(undefined, {}),
    ]).toEqual([500, 8_000, 32_000]);
  });

  it.each(['0', '-1', '1.5', 'many', '1e3'])('refuses "%s"', (text) => {
    expect(() => maxTokensOf(undefined, { CLAUDE_CODE_MAX_OUTPUT_TOKENS: text })).toThrow(
      `CLAUDE_CODE_MAX_OUTPUT_TOKENS is "${text}": give a whole number above 0, or unset it.`,
    );
  });
});

describe('withThinkingOf', () => {
  it.each([
    ['2000', { type: 'enabled', budgetTokens: 2_000 }],
    ['0', { type: 'disabled' }],
    ['', undefined],
  ])('takes MAX_THINKING_TOKENS=%s', (text, thinking) => {
    const { thinking: found } = withThinkingOf({ MAX_THINKING_TOKENS: text }, {}, 32_000);
    expect(found).toEqual(thinking);
  });

  it.each([{ thinking: { type: 'adaptive' } as const }, { continues: true }, { resume: 'id' }])(
    'leaves the start %j as it is',
    (start) => {
      expect(withThinkingOf({ MAX_THINKING_TOKENS: '2000' }, start, 32_000)).toBe(start);
    },
  );

  it.each(['1000', '32000', 'lots'])('refuses "%s"', (text) => {
    expect(() => withThinkingOf({ MAX_THINKING_TOKENS: text }, {}, 32_000)).toThrow(
      `MAX_THINKING_TOKENS is "${text}": give 0 or a whole number from 1024 to below the output limit, which is 32000`,
    );
  });

  it('reaches the requests of a session', async () => {
    const requests: ModelRequest[] = [];
    const env = {
      ...process.env,
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '9000',
      MAX_THINKING_TOKENS: '2000',
    };
    const { troupe } = await createTroupe(
      (request) => {
        requests.push(request);
        return { text: 'Done.' };
      },
      { env },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(requests.map(({ maxTokens, thinking }) => ({ maxTokens, thinking }))).toEqual([
      { maxTokens: 9_000, thinking: { type: 'enabled', budgetTokens: 2_000 } },
    ]);
  });
});
