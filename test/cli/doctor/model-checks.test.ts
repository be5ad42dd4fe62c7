import { describe, expect, it } from 'vitest';
import { checkModel } from '../../../src/cli/doctor/model-checks.js';

const NOW = Date.parse('2026-10-25');
const print = (): Promise<string> => Promise.reject(new Error('the doctor runs no helper'));

describe('what the doctor says of the key', () => {
  it.each([
    [
      { ANTHROPIC_API_KEY: 'k' },
      {},
      'ok',
      'ANTHROPIC_API_KEY is set; requests go to https://api.anthropic.com (not tried).',
    ],
    [
      { ANTHROPIC_AUTH_TOKEN: 'k' },
      { print },
      'ok',
      'ANTHROPIC_AUTH_TOKEN is set, so the setting apiKeyHelper does not run; requests go to https://api.anthropic.com (not tried).',
    ],
    [
      { ANTHROPIC_BASE_URL: 'http://gateway:1/api' },
      { print },
      'ok',
      'The setting apiKeyHelper prints the key; requests go to http://gateway:1/api (not tried).',
    ],
    [
      {},
      {},
      'warn',
      'No key for the model. Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or set apiKeyHelper in settings, or run without a network: --model scripted:FILE.',
    ],
    [
      {},
      { waitsIn: '/work/.claude/settings.json' },
      'warn',
      'No key for the model. Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or set apiKeyHelper in settings, or run without a network: --model scripted:FILE. The setting apiKeyHelper of /work/.claude/settings.json waits until this folder is trusted: check it, then run "troupe trust".',
    ],
  ])('with %j and %j', (env, keyHelper, verdict, message) => {
    const [key] = checkModel(env, keyHelper, NOW);
    expect({ verdict: key?.verdict, message: key?.message }).toEqual({ verdict, message });
  });
});

describe('what the doctor says of a proxy', () => {
  const proxyOf = (env: Readonly<Record<string, string>>) =>
    checkModel({ ANTHROPIC_API_KEY: 'k', ...env }, {}, NOW).find(({ name }) => name === 'proxy');

  it('warns if it is set and requests do not use it', () => {
    expect(proxyOf({ HTTPS_PROXY: 'http://proxy:1' })).toEqual({
      name: 'proxy',
      verdict: 'warn',
      message: expect.stringMatching(
        /^HTTPS_PROXY is set, but Troupe does not use it\. /,
      ) as string,
    });
  });

  it.each([
    {},
    { HTTPS_PROXY: 'http://proxy:1', NO_PROXY: '.anthropic.com' },
    { HTTPS_PROXY: 'http://proxy:1', ANTHROPIC_BASE_URL: 'http://gateway:1' },
    { HTTPS_PROXY: 'http://proxy:1', ANTHROPIC_BASE_URL: 'nonsense' },
  ])('says nothing with %j', (env) => {
    expect(proxyOf(env)).toBe(undefined);
  });
});
