import { Console } from 'node:console';
import type Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages';
import { UsageError } from '../core/errors.js';
import { hideSecret } from './hide-secret.js';
import { ModelAuthMissingError } from './model-auth-missing-error.js';
import { ModelNotAStreamError } from './model-not-a-stream-error.js';
import type { Model, ModelEvent } from './model.js';
import { toRequestBody } from './to-request-body.js';

export type AnthropicModelOptions = {
  /** Where ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN and ANTHROPIC_BASE_URL are read from: usually `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly apiKey?: string;
  /** Used where there is no key. */
  readonly authToken?: string;
  readonly baseURL?: string;
  /** Until the first byte of an answer. */
  readonly timeoutMs?: number;
};

export interface AnthropicModel extends Model {
  /** Starts to load the client in the background, so that the first request need not wait for it. */
  warmUp(): void;
}

/**
 * Models behind the Messages API: Anthropic's, or whatever speaks it at `baseURL`. Replies are the SDK's own stream of
 * raw events. An abort in mid-stream ends the stream quietly: whoever reads it looks at the signal.
 *
 * @throws ModelAuthMissingError where neither an option nor the environment has a key or a token
 * @throws UsageError where the base URL is none, or a key or token is nothing that a header can carry
 */
export function createAnthropicModel({
  env = {},
  apiKey = env['ANTHROPIC_API_KEY'],
  authToken = env['ANTHROPIC_AUTH_TOKEN'],
  baseURL = env['ANTHROPIC_BASE_URL'],
  timeoutMs = 600_000,
}: AnthropicModelOptions): AnthropicModel {
  const secret = apiKey || authToken;
  if (!secret) throw new ModelAuthMissingError();
  const isKey = Boolean(apiKey);
  requireSendable(secret, isKey ? 'ANTHROPIC_API_KEY' : 'ANTHROPIC_AUTH_TOKEN');
  if (baseURL && !/^https?:/.test(URL.canParse(baseURL) ? new URL(baseURL).protocol : '')) {
    throw new UsageError(
      `ANTHROPIC_BASE_URL is "${baseURL}", which is no http or https address. Try https://api.anthropic.com.`,
    );
  }

  let loading: Promise<Anthropic> | undefined;
  const load = async (): Promise<Anthropic> => {
    const { Anthropic: Client } = await import('@anthropic-ai/sdk');
    return new Client({
      ...(isKey ? { apiKey: secret, authToken: null } : { apiKey: null, authToken: secret }),
      baseURL: baseURL || 'https://api.anthropic.com',
      maxRetries: 0, // retry is state of the agent that waits
      timeout: timeoutMs,
      logger: new Console(process.stderr, process.stderr), // stdout belongs to the answer
      ...(env['ANTHROPIC_LOG'] ? {} : { logLevel: 'off' as const }), // what goes wrong is thrown, and told once
    });
  };

  return {
    warmUp() {
      loading ??= load();
      loading.catch(() => undefined); // the first request rejects with it
    },
    async stream(request, { signal }) {
      const client = await (loading ??= load());
      const body = toRequestBody(request);
      // The body has the SDK's shape, only readonly and with blocks of kinds that it may not know.
      const params = body as unknown as MessageCreateParamsStreaming;
      try {
        const { data, response } = await client.messages.create(params, { signal }).withResponse();
        // The SDK's event types are closed; what arrives is not.
        const events = data as unknown as AsyncIterable<ModelEvent>;
        return readEvents(events, { response, secret, signal });
      } catch (error) {
        hideSecret(error, secret);
        throw error;
      }
    },
  };
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
  events: AsyncIterable<ModelEvent>,
  {
    response,
    secret,
    signal,
  }: { readonly response: Response; readonly secret: string; readonly signal: AbortSignal },
): AsyncGenerator<ModelEvent, void> {
  let count = 0;
  try {
    for await (const event of events) {
      count += 1;
      yield event;
    }
    const type = response.headers.get('content-type') ?? 'text/event-stream';
    if (count === 0 && !signal.aborted && !/^text\/event-stream\b/i.test(type)) {
      throw new ModelNotAStreamError(type.slice(0, 100));
    }
  } catch (error) {
    hideSecret(error, secret);
    throw error;
  }
}
