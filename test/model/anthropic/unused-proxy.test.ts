import { describe, expect, it, vi } from 'vitest';
import { createAnthropicModel } from '../../../src/model/anthropic/anthropic-model.js';
import { describeUnusedProxy } from '../../../src/model/anthropic/unused-proxy.js';
import { classifyModelError } from '../../../src/model/errors/model-error.js';

const PROXY = 'http://127.0.0.1:1';
const HTTPS = 'https://api.anthropic.com/v1/messages';
const HTTP = 'http://gateway:8080/api';
const told = (name: string): string =>
  `${name} is set, but Troupe does not use it. Node 24 and 22.21 use HTTP_PROXY and HTTPS_PROXY if ` +
  `NODE_USE_ENV_PROXY=1 is set when Troupe starts; this is Node ${process.versions.node}.`;

describe('a proxy that Node does not use', () => {
  it.each([
    ['HTTPS_PROXY', HTTPS],
    ['https_proxy', HTTPS],
    ['ALL_PROXY', HTTPS],
    ['HTTP_PROXY', HTTP],
    ['http_proxy', HTTP],
    ['all_proxy', HTTP],
  ])('is reported by its variable: %s for %s', (name, endpoint) => {
    expect(describeUnusedProxy({ [name]: PROXY }, new URL(endpoint))).toBe(told(name));
  });

  it('is reported if it is in the environment of the process', () => {
    vi.stubEnv('HTTPS_PROXY', PROXY);
    expect(describeUnusedProxy({}, new URL(HTTPS))).toBe(told('HTTPS_PROXY'));
  });

  it('is nothing to report if it is for the other scheme, or empty', () => {
    expect(describeUnusedProxy({ HTTP_PROXY: PROXY, HTTPS_PROXY: '' }, new URL(HTTPS))).toBe(
      undefined,
    );
    expect(describeUnusedProxy({ HTTPS_PROXY: PROXY }, new URL(HTTP))).toBe(undefined);
  });

  it.each([
    ['*', true],
    ['api.anthropic.com', true],
    ['anthropic.com', true],
    ['.anthropic.com', true],
    ['*.Anthropic.com', true],
    ['localhost, anthropic.com:443', true],
    ['localhost api.anthropic.com', true],
    ['anthropic.com:8443', false],
    ['pic.com', false],
    ['www.anthropic.com', false],
    ['', false],
  ])('is not meant for hosts in NO_PROXY: %j', (without, isExempt) => {
    for (const name of ['NO_PROXY', 'no_proxy'])
      expect(describeUnusedProxy({ HTTPS_PROXY: PROXY, [name]: without }, new URL(HTTPS))).toBe(
        isExempt ? undefined : told('HTTPS_PROXY'),
      );
  });

  it('is nothing to report if a dispatcher such as the one of Node for proxies is in place', () => {
    class EnvHttpProxyAgent {
      readonly kind = 'the one of Node';
    }
    const symbol = Symbol.for('undici.globalDispatcher.1');
    const holder = globalThis as { [symbol]?: unknown };
    const before = holder[symbol];
    holder[symbol] = new EnvHttpProxyAgent();
    try {
      expect(describeUnusedProxy({ HTTPS_PROXY: PROXY }, new URL(HTTPS))).toBe(undefined);
    } finally {
      holder[symbol] = before;
    }
  });

  const reach = async (env: Readonly<Record<string, string>>, own = {}): Promise<string> => {
    const model = createAnthropicModel({ apiKey: 'k', baseURL: PROXY, env, ...own });
    const request = { model: 'x', maxTokens: 1, system: [], tools: [], messages: [] };
    const { signal } = new AbortController();
    const origin = { agentId: 'a', agentType: 'b' };
    return model.stream({ ...request, origin }, { signal }).then(
      () => expect.fail('Nobody listens there.'),
      (error: unknown) => classifyModelError(error).message,
    );
  };

  it('is named by the error of an endpoint that cannot be reached', async () => {
    expect(await reach({ HTTP_PROXY: PROXY })).toBe(
      `The model cannot be reached: Connection error. (bad port) ${told('HTTP_PROXY')}`,
    );
  });

  it('is not named by that error if a program sends requests itself, or for hosts in NO_PROXY', async () => {
    const advice = 'Check the network and ANTHROPIC_BASE_URL.';
    const send: typeof fetch = () => Promise.reject(new Error('no way'));
    expect(await reach({ HTTP_PROXY: PROXY }, { fetch: send })).toContain(advice);
    expect(await reach({ HTTP_PROXY: PROXY, NO_PROXY: '127.0.0.1' })).toContain(advice);
  });
});
