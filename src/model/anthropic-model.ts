import { format } from 'node:util';
import type { APIError as SdkError, BaseAnthropic } from '@anthropic-ai/sdk';
import type {
  MessageCreateParamsStreaming,
  Messages,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { UsageError } from '../core/errors.js';
import { requireTexts } from '../core/require-text.js';
import { printable } from '../core/printable.js';
import { requireModelName } from './aliases.js';
import { hideSecret } from './hide-secret.js';
import { createLeanFetch } from './lean-fetch.js';
import { ModelAuthMissingError } from './model-auth-missing-error.js';
import { ModelNotAStreamError } from './model-not-a-stream-error.js';
import type { Model, ModelEvent } from './model.js';
import { readEventStream, type ReadEventStreamOptions } from './read-event-stream.js';
import { refuseOtherProviders } from './refuse-other-providers.js';
import { tapFetch, withActivity } from './tap-response.js';
import { toRequestBody } from './to-request-body.js';

/** Where a program that collects traces has left its word. */
const OPEN_TELEMETRY = Symbol.for('opentelemetry.js.api.1');

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
  /** How requests are sent; by default over `node:http`, and through global fetch where a proxy variable is set. */
  readonly fetch?: typeof globalThis.fetch;
};

export interface AnthropicModel extends Model {
  /** Starts to load the client in the background, so that the first request need not wait for it. */
  warmUp(): void;
}

/**
 * Models behind the Messages API: Anthropic's, or whatever speaks it at `baseURL`. Replies are the SDK's own stream of
 * raw events. An abort in mid-stream ends the stream quietly: whoever reads it looks at the signal.
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
    fetch = createLeanFetch({ env }),
  } = requireTexts('createAnthropicModel', options, []);
  refuseOtherProviders(env);
  const secret = apiKey || authToken;
  if (!secret) throw new ModelAuthMissingError(env);
  const isKey = Boolean(apiKey);
  requireSendable(secret, isKey ? 'ANTHROPIC_API_KEY' : 'ANTHROPIC_AUTH_TOKEN');
  if (baseURL && !/^https?:/.test(URL.canParse(baseURL) ? new URL(baseURL).protocol : '')) {
    throw new UsageError(
      `ANTHROPIC_BASE_URL is "${baseURL}", which is no http or https address. Try https://api.anthropic.com.`,
    );
  }

  const address = baseURL ? { baseURL } : {};
  const headers = { ...parseHeaders(env['ANTHROPIC_CUSTOM_HEADERS']), ...betaHeader(betas) };
  type Loaded = { readonly client: BaseAnthropic; readonly APIError: typeof SdkError };
  let loading: Promise<Loaded> | undefined;
  const load = async (): Promise<Loaded> => {
    const { APIError, BaseAnthropic: Client } = await import('@anthropic-ai/sdk'); // the client without its APIs
    const client = new Client({
      ...(isKey ? { apiKey: secret, authToken: null } : { apiKey: null, authToken: secret }),
      baseURL: baseURL || 'https://api.anthropic.com',
      maxRetries: 0, // retry is state of the agent that waits
      timeout: timeoutMs,
      defaultHeaders: headers,
      fetch: tapFetch(fetch),
      logger: { error: logLine, warn: logLine, info: logLine, debug: logLine },
      ...(env['ANTHROPIC_LOG'] ? {} : { logLevel: 'off' as const }), // what goes wrong is thrown, and told once
      ...(OPEN_TELEMETRY in globalThis ? {} : { openTelemetry: false as const }), // nobody is there to be told
    });
    return { client, APIError };
  };

  return {
    warmUp() {
      loading ??= load();
      loading.catch(() => undefined); // the first request rejects with it
    },
    async stream(request, { signal, onActivity }) {
      requireModelName(request.model, address);
      const { client, APIError } = await (loading ??= load());
      const body = toRequestBody(request);
      // The body has the SDK's shape, only readonly and with blocks of kinds that it may not know.
      const params = body as unknown as MessageCreateParamsStreaming;
      const connection = new AbortController();
      try {
        const how = {
          signal: AbortSignal.any([signal, connection.signal]),
          ...(onActivity === undefined ? {} : { fetchOptions: withActivity(onActivity) }),
        };
        const response =
          OPEN_TELEMETRY in globalThis
            ? await sendTraced(client, params, how)
            : await client.post('/v1/messages', { ...how, body, stream: true }).asResponse();
        const toError = (data: object): unknown =>
          // As the SDK's own streams say it: an error without a status.
          new APIError(undefined, data, undefined, response.headers);
        return readEvents(response, { toError, secret, signal, hangUp: () => connection.abort() });
      } catch (error) {
        hideSecret(error, secret);
        throw error;
      }
    },
  };
}

/** `Name: value`, one a line. @throws UsageError for a line that is no header */
function parseHeaders(text = ''): Readonly<Record<string, string>> {
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

/** With a span for traces, which only `create` makes; it also warns on the console at each use of a deprecated model. */
async function sendTraced(
  client: BaseAnthropic,
  params: MessageCreateParamsStreaming,
  how: Parameters<Messages['create']>[1],
): Promise<Response> {
  const { Messages: Api } = await import('@anthropic-ai/sdk/resources/messages/messages');
  return new Api(client).create(params, how).asResponse();
}

/** A key with a line break is refused by the client, in a message that has the key. */
function requireSendable(secret: string, name: string): void {
  // eslint-disable-next-line no-control-regex -- these are what it looks for
  if (!/[\u0000-\u001f\u007f]|[^\u0000-\u00ff]/.test(secret)) return;
  throw new UsageError(
    `${name} holds a line break, another control character or a letter beyond Latin-1, which no header can carry. Set it again, without.`,
  );
}

async function* readEvents(
  response: Response,
  {
    secret,
    signal,
    ...stream
  }: ReadEventStreamOptions & { readonly secret: string; readonly signal: AbortSignal },
): AsyncGenerator<ModelEvent, void> {
  let count = 0;
  const type = response.headers.get('content-type') ?? STREAM_TYPE;
  const isStream = type.toLowerCase().startsWith(STREAM_TYPE);
  const refuseType = (): void => {
    if (count === 0 && !isStream && !signal.aborted)
      throw new ModelNotAStreamError(type.slice(0, 100));
  };
  try {
    const whole: AsyncIterable<Uint8Array> | null = response.body; // null where there can be none
    const body = whole === null || isStream ? whole : withLook(whole, refuseType);
    if (body !== null)
      for await (const event of readEventStream(body, stream)) {
        count += 1;
        yield event;
      }
    refuseType();
  } catch (error) {
    if (signal.aborted && error instanceof Error && error.name === 'AbortError') return;
    hideSecret(error, secret);
    throw error;
  }
}

const STREAM_TYPE = 'text/event-stream';
/** A body of another type that has no event so far is read no further. */
const LOOK_BYTES = 64 * 1024;

async function* withLook(
  body: AsyncIterable<Uint8Array>,
  look: () => void,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const piece of body) {
    if ((bytes += piece.length) > LOOK_BYTES) look();
    yield piece;
  }
}

/** To stderr, for stdout belongs to the answer; what an endpoint says cannot steer the terminal. */
function logLine(...said: readonly unknown[]): void {
  process.stderr.write(`${printable(format(...said))}\n`);
}
