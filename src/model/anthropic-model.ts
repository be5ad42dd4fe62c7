import { UsageError } from '../core/errors.js';
import { requireTexts } from '../core/text/require-text.js';
import { requireModelName } from './aliases.js';
import { createAnthropicSdk, isTraced, type ToThrown } from './anthropic-sdk.js';
import { createDirectStream } from './direct-stream.js';
import { SentError } from './event-parser.js';
import { hasProxy, isFetchReplaced } from './own-network.js';
import { hideSecret } from './hide-secret.js';
import { ModelAuthMissingError } from './model-auth-missing-error.js';
import type { Model } from './model.js';
import { refuseOtherProviders } from './refuse-other-providers.js';
import { toRequestHeaders } from './request-headers.js';
import { createSdkStream } from './sdk-stream.js';

export type AnthropicModelOptions = {
  /**
   * ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL, ANTHROPIC_CUSTOM_HEADERS and the switches to other
   * providers (CLAUDE_CODE_USE_BEDROCK …) are read from here: usually `process.env`.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly apiKey?: string;
  /** Used where there is no key. */
  readonly authToken?: string;
  readonly baseURL?: string;
  /** Beta features, sent as `anthropic-beta`. */
  readonly betas?: readonly string[];
  /** Until the first byte of an answer. */
  readonly timeoutMs?: number;
  /** How requests are sent; by default over `node:http`, and through global fetch where there is a proxy, a redirect or tracing. */
  readonly fetch?: typeof globalThis.fetch;
};

export interface AnthropicModel extends Model {
  /** Starts to load the client in the background, so that the first request need not wait for it. */
  warmUp(): void;
}

/**
 * Models behind the Messages API: Anthropic's, or whatever speaks it at `baseURL`. Replies are
 * streams of raw events. An abort in mid-stream ends the stream quietly: whoever reads it looks at the signal.
 *
 * @throws ModelProviderUnsupportedError if the environment asks for Bedrock, Vertex AI or another provider
 * @throws ModelAuthMissingError if neither an option nor the environment has a key or a token
 * @throws UsageError where the base URL is none, or a key or token is nothing that a header can carry
 */
export function createAnthropicModel(
  options: AnthropicModelOptions = { env: process.env },
): AnthropicModel {
  const {
    env = {},
    apiKey = env['ANTHROPIC_API_KEY'],
    authToken = env['ANTHROPIC_AUTH_TOKEN'],
    baseURL = env['ANTHROPIC_BASE_URL'],
    betas = [],
    timeoutMs = 600_000,
    fetch,
  } = requireTexts('createAnthropicModel', options, []);
  refuseOtherProviders(env);
  const secret = apiKey || authToken;
  if (!secret) throw new ModelAuthMissingError(env);
  const isKey = Boolean(apiKey);
  requireSendable(secret, isKey ? 'ANTHROPIC_API_KEY' : 'ANTHROPIC_AUTH_TOKEN');
  if (baseURL) requireAddress(baseURL);
  const address = baseURL ? { baseURL } : {};
  const base = baseURL || 'https://api.anthropic.com';
  const url = new URL(`${base.replace(/\/$/, '')}/v1/messages`);
  const headers = { ...parseHeaders(env['ANTHROPIC_CUSTOM_HEADERS']), ...betaHeader(betas) };
  const sdk = createAnthropicSdk(
    {
      ...(isKey ? { apiKey: secret, authToken: null } : { apiKey: null, authToken: secret }),
      baseURL: base,
      timeout: timeoutMs,
      defaultHeaders: headers,
      ...(env['ANTHROPIC_LOG'] ? {} : { logLevel: 'off' as const }), // what goes wrong is thrown, and told once
    },
    fetch,
  );
  const toThrown: ToThrown = async (failure, toHeaders) => {
    const isSent = failure instanceof SentError;
    const error = isSent ? await sdk.toSentError(failure.data, toHeaders()) : failure;
    hideSecret(error, secret);
    return error;
  };
  const streamBySdk = createSdkStream({ sdk, toThrown });
  const streamDirectly = createDirectStream({
    transport: {
      url,
      headers: toRequestHeaders({ secret, timeoutMs, headers }),
      timeoutMs,
    },
    sdk,
    toThrown,
  });
  const isPlain = !(fetch ?? (env['ANTHROPIC_LOG'] || hasProxy(env)));
  const isDirect = (): boolean => isPlain && !isTraced() && !isFetchReplaced();

  return {
    warmUp() {
      if (!isDirect()) sdk.warmUp();
    },
    async stream(request, how) {
      requireModelName(request.model, address);
      try {
        const events = isDirect() ? await streamDirectly(request, how) : undefined;
        return events ?? (await streamBySdk(request, how));
      } catch (error) {
        hideSecret(error, secret);
        throw error;
      }
    },
  };
}

/** `Name: value`, one a line. @throws UsageError for a line that is no header */
function parseHeaders(text = ''): Readonly<Record<string, string>> {
  if (text === '') return {}; // Headers come with all of global fetch
  const headers = new Headers();
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const colon = line.indexOf(':');
    try {
      headers.set(line.slice(0, Math.max(colon, 0)).trim(), line.slice(colon + 1).trim());
    } catch (error) {
      throw new UsageError(
        'ANTHROPIC_CUSTOM_HEADERS: each line must be a header, such as "X-Team: docs".',
        {},
        { cause: error },
      );
    }
  }
  return Object.fromEntries(headers);
}

function betaHeader(betas: readonly string[]): Readonly<Record<string, string>> {
  return betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') };
}

/** @throws UsageError for what is no address of an endpoint; a password is not repeated */
function requireAddress(baseURL: string): void {
  const { protocol, search, hash, username, password } = URL.canParse(baseURL)
    ? new URL(baseURL)
    : { protocol: '', search: '', hash: '', username: '', password: '' };
  if (!/^https?:$/.test(protocol))
    throw new UsageError(
      `ANTHROPIC_BASE_URL is "${baseURL}", which is no http or https address. Try https://api.anthropic.com.`,
    );
  if (username || password)
    throw new UsageError(
      'ANTHROPIC_BASE_URL holds a user name or a password, which requests cannot have there. Give them as a header, in ANTHROPIC_CUSTOM_HEADERS.',
    );
  if (search || hash)
    throw new UsageError(
      `ANTHROPIC_BASE_URL is "${baseURL}": nothing may stand behind the path, which requests are appended to. Leave "${search}${hash}" out.`,
    );
}

/** A key with a line break is refused by the client, in a message that has the key. */
function requireSendable(secret: string, name: string): void {
  // eslint-disable-next-line no-control-regex -- these are what it looks for
  if (!/[\u0000-\u001f\u007f]|[^\u0000-\u00ff]/.test(secret)) return;
  throw new UsageError(
    `${name} holds a line break, another control character or a letter beyond Latin-1, which no header can carry. Set it again, without.`,
  );
}
