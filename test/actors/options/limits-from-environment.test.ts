import { describe, expect, it } from 'vitest';
import {
  bashLimitsOf,
  maxTokensOf,
  serverWaitOf,
  skillBudgetOf,
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

describe('serverWaitOf', () => {
  it.each([
    [5_000, {}],
    [200, { CLAUDE_CODE_MCP_STARTUP_WAIT_MS: '200' }],
    [0, { CLAUDE_CODE_MCP_STARTUP_WAIT_MS: '0' }],
    [0, { CLAUDE_CODE_MCP_STARTUP_WAIT_MS: '200', MCP_CONNECTION_NONBLOCKING: 'true' }],
  ])('is %i ms for %j', (waitMs, env) => {
    expect(serverWaitOf(env)).toBe(waitMs);
  });

  it('refuses what is no number of milliseconds', () => {
    expect(() => serverWaitOf({ CLAUDE_CODE_MCP_STARTUP_WAIT_MS: '5s' })).toThrow(
      'CLAUDE_CODE_MCP_STARTUP_WAIT_MS is "5s": give a whole number of milliseconds, or unset it.',
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

describe('bashLimitsOf', () => {
  it.each([
    [{}, undefined],
    [{ BASH_DEFAULT_TIMEOUT_MS: '5000' }, { defaultMs: 5_000, longestMs: 600_000 }],
    [{ BASH_DEFAULT_TIMEOUT_MS: '900000' }, { defaultMs: 900_000, longestMs: 900_000 }],
    [{ BASH_MAX_TIMEOUT_MS: '60000' }, { defaultMs: 60_000, longestMs: 60_000 }],
    [
      { BASH_DEFAULT_TIMEOUT_MS: '1000', BASH_MAX_TIMEOUT_MS: '9000' },
      { defaultMs: 1_000, longestMs: 9_000 },
    ],
  ])('reads %j', (env, limits) => {
    expect(bashLimitsOf(env)).toEqual(limits);
  });

  it('refuses what is no time', () => {
    expect(() => bashLimitsOf({ BASH_MAX_TIMEOUT_MS: '2m' })).toThrow(
      'BASH_MAX_TIMEOUT_MS is "2m": give a whole number above 0, or unset it.',
    );
  });

  it('reaches the tool that the model sees, and ends its commands', async () => {
    const requests: ModelRequest[] = [];
    const env = { ...process.env, BASH_DEFAULT_TIMEOUT_MS: '200', BASH_MAX_TIMEOUT_MS: '300' };
    const { troupe } = await createTroupe(
      (request) => {
        requests.push(request);
        const inputs = [{ command: 'ls', timeout: 301 }, { command: 'sleep 5' }];
        const input = inputs[requests.length - 1];
        return input === undefined ? { text: 'Done.' } : { tools: [{ name: 'Bash', input }] };
      },
      { env },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    const [first] = requests;
    const bash = first?.tools.find(({ name }) => name === 'Bash');
    expect(bash?.description).toContain('ended after 200 ms, or after `timeout` (at most 300 ms)');
    expect(JSON.stringify(first?.messages)).toMatch(
      /timeout must be at most 300, not the number 301.*timed out after 200 ms/,
    );
  });
});

describe('skillBudgetOf', () => {
  it.each([
    ['one per cent of a window', {}, 200_000, undefined, 40, 8_000],
    ['10,000 characters of a large window', {}, 1_000_000, undefined, 40, 10_000],
    ['100 for each of many skills', {}, 1_000_000, undefined, 200, 20_000],
    ['one per cent at most', {}, 1_000_000, undefined, 2_000, 40_000],
    ['a chosen part', {}, 1_000_000, 0.02, 40, 80_000],
    ['the variable', { SLASH_COMMAND_TOOL_CHAR_BUDGET: '500' }, 1_000_000, 0.02, 40, 500],
  ])('is %s', (_, env, contextWindow, share, count, budget) => {
    expect(skillBudgetOf(env, contextWindow, { share, count })).toBe(budget);
  });
});
