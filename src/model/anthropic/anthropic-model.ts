import { UsageError } from '../../core/errors.js';
import { requireTexts } from '../../core/text/require-text.js';
import { requireModelName } from '../choice/aliases.js';
import { isRecord } from '../../core/json/is-record.js';
import { createKeyCache, keyTtlMs, type PrintKey } from './key-cache.js';
import { ModelAuthMissingError } from '../errors/model-auth-missing-error.js';
import type { Model } from '../model.js';
import { openSender, type Sender, type SenderOptions } from './open-sender.js';
import { refuseOtherProviders } from './refuse-other-providers.js';
import { requireSendable } from './require-sendable.js';

/** Options for the Messages API. */
export type AnthropicModelOptions = {
  /**
   * Source of ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL, ANTHROPIC_CUSTOM_HEADERS and the switches to
   * other providers (CLAUDE_CODE_USE_BEDROCK …): usually `process.env`.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** API key; `ANTHROPIC_API_KEY` of `env` if absent. */
  readonly apiKey?: string;
  /** Token for the header `authorization`, if there is no key; `ANTHROPIC_AUTH_TOKEN` of `env` if absent. */
  readonly authToken?: string;
  /**
   * Prints a key if there is neither key nor token. Called with the first request, again after five minutes or
   * `CLAUDE_CODE_API_KEY_HELPER_TTL_MS` of `env`, and if the endpoint refuses the key.
   */
  readonly apiKeyHelper?: PrintKey;
  /** Address of the API; `ANTHROPIC_BASE_URL` of `env`, or Anthropic's own, if absent. */
  readonly baseURL?: string;
  /** Beta features, sent as `anthropic-beta`. */
  readonly betas?: readonly string[];
  /** Time until the first byte of an answer. */
  readonly timeoutMs?: number;
  /**
   * How requests are sent; if absent, over `node:http`, or through the global `fetch` if there is a proxy, a redirect
   * or tracing.
   */
  readonly fetch?: typeof globalThis.fetch;
};

export interface AnthropicModel extends Model {
  /** Start loading the client in the background, so that the first request need not wait for it. */
  warmUp(): void;
}

/**
 * Make a model behind the Messages API, Anthropic's own or another one at `baseURL`. Replies are streams of raw events.
 * An abort in mid-stream ends the stream without an error: the reader checks the signal.
 *
 * @throws ModelProviderUnsupportedError if the environment asks for Bedrock, Vertex AI or another provider
 * @throws ModelAuthMissingError if neither an option nor the environment has a key or a token
 * @throws UsageError if the base URL is invalid, or a header cannot carry the key or token
 */
export function createAnthropicModel(
  options: AnthropicModelOptions = { env: process.env },
): AnthropicModel {
  const {
    env = {},
    baseURL = env['ANTHROPIC_BASE_URL'],
    betas = [],
    timeoutMs = 600_000,
    fetch,
  } = requireTexts('createAnthropicModel', options, []);
  refuseOtherProviders(env);
  const signature = signatureOf(options);
  if (baseURL) requireAddress(baseURL);
  const address = baseURL ? { baseURL } : {};
  const headers = { ...parseHeaders(env['ANTHROPIC_CUSTOM_HEADERS']), ...betaHeader(betas) };
  const open = ({ headers: signed, ...rest }: Signed): Sender =>
    openSender({
      ...rest,
      base: baseURL || 'https://api.anthropic.com',
      headers: { ...signed, ...headers },
      timeoutMs,
      env,
      fetch,
    });
  const sender =
    'secret' in signature
      ? open(signature)
      : signedByHelper(signature.print, env, (key) =>
          open({ secret: key, isKey: false, headers: { 'x-api-key': key } }),
        );
  const accepted = new Set<string>();
  return {
    ...sender,
    serverTools: [SEARCH_TOOL],
    async stream(request, how) {
      if (!accepted.has(request.model)) requireModelName(request.model, address);
      accepted.add(request.model);
      return sender.stream(request, how);
    },
  };
}

type Signed = Pick<SenderOptions, 'headers' | 'isKey' | 'secret'>;

/**
 * @throws ModelAuthMissingError if there is neither key, token nor helper; UsageError for a secret that a header cannot
 * have
 */
function signatureOf({
  env = {},
  apiKey = env['ANTHROPIC_API_KEY'],
  authToken = env['ANTHROPIC_AUTH_TOKEN'],
  apiKeyHelper,
}: AnthropicModelOptions): Signed | { readonly print: PrintKey } {
  const secret = apiKey || authToken;
  if (!secret) {
    if (apiKeyHelper === undefined) throw new ModelAuthMissingError(env);
    return { print: apiKeyHelper };
  }
  const isKey = Boolean(apiKey);
  const name = isKey ? 'ANTHROPIC_API_KEY' : 'ANTHROPIC_AUTH_TOKEN';
  requireSendable(secret, () => new UsageError(`${name} ${UNSENDABLE}`));
  return { secret, isKey, headers: {} };
}

const UNSENDABLE =
  'has a line break, another control character or a letter beyond Latin-1, which a header cannot have. Set it again, without.';

/** Send each request with the key of a helper; if the key is refused, send the request once more with a new key. */
function signedByHelper(
  print: PrintKey,
  env: NonNullable<PrintKey['env']>,
  open: (key: string) => Sender,
): Sender & Pick<Model, 'keySource'> {
  keyTtlMs(print.env ?? env); // refuses an invalid one before the first request
  const keys = createKeyCache(print, () => keyTtlMs(print.env ?? env));
  let newest: { readonly key: string; readonly sender: Sender } | undefined;
  const senderFor = (key: string): Sender => {
    if (newest?.key !== key) newest = { key, sender: open(key) };
    return newest.sender;
  };
  return {
    keySource: 'apiKeyHelper',
    warmUp() {}, // the modules to load depend on the key
    async stream(request, how) {
      const key = await keys.get(how.signal);
      try {
        return await senderFor(key).stream(request, how);
      } catch (error) {
        if (!isRecord(error) || error['status'] !== KEY_REFUSED) throw error;
        keys.drop(key);
        const another = await keys.get(how.signal);
        if (another === key) throw error;
        return senderFor(another).stream(request, how);
      }
    },
  };
}

/** The server tool that searches the web. An endpoint without it answers requests that name it with an error. */
const SEARCH_TOOL = 'web_search_20250305';

/** HTTP status of a request whose key is not accepted. */
const KEY_REFUSED = 401;

/** `Name: value`, one a line. @throws UsageError for an invalid line */
function parseHeaders(text = ''): Readonly<Record<string, string>> {
  if (text === '') return {}; // loading Headers loads global fetch
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

/** @throws UsageError for an invalid address; the message never has a password */
function requireAddress(baseURL: string): void {
  const { protocol, search, hash, username, password } = URL.canParse(baseURL)
    ? new URL(baseURL)
    : { protocol: '', search: '', hash: '', username: '', password: '' };
  if (!/^https?:$/.test(protocol))
    throw new UsageError(
      `ANTHROPIC_BASE_URL is "${baseURL}", which is not an http or https address. Try https://api.anthropic.com.`,
    );
  if (username || password)
    throw new UsageError(
      'ANTHROPIC_BASE_URL has a user name or a password, which requests cannot have there. Give them as a header, in ANTHROPIC_CUSTOM_HEADERS.',
    );
  if (search || hash)
    throw new UsageError(
      `ANTHROPIC_BASE_URL is "${baseURL}": it must end with its path, to which the paths of requests are appended. Leave "${search}${hash}" out.`,
    );
}
