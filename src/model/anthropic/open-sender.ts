import { createAnthropicSdk, isTraced, type ToThrown } from './anthropic-sdk.js';
import { createDirectStream } from './direct-stream.js';
import { SentError } from '../stream/event-parser.js';
import { hideSecret } from './hide-secret.js';
import type { Model } from '../model.js';
import { hasProxy, isFetchReplaced } from './own-network.js';
import { toRequestHeaders } from './request-headers.js';
import { createSdkStream } from './sdk-stream.js';
import { describeUnusedProxy } from './unused-proxy.js';
import type { Environment } from '../../files/folders.js';

export type SenderOptions = {
  /** The key or token of requests; never in an error. */
  readonly secret: string;
  /** The secret is a key, not a token. */
  readonly isKey: boolean;
  /** Address of the endpoint, without the path of requests. */
  readonly base: string;
  /** More headers, which override; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly env: Environment;
  readonly fetch?: typeof globalThis.fetch | undefined;
};

/** Sends requests with one secret. */
export interface Sender extends Pick<Model, 'stream'> {
  /** Start loading the client in the background, if requests use it. */
  warmUp(): void;
}

export function openSender(options: SenderOptions): Sender {
  const { secret, isKey, base, headers, timeoutMs, env, fetch } = options;
  const url = new URL(`${base.replace(/\/$/, '')}/v1/messages`);
  const sdk = createAnthropicSdk(
    {
      ...(isKey ? { apiKey: secret, authToken: null } : { apiKey: null, authToken: secret }),
      baseURL: base,
      timeout: timeoutMs,
      defaultHeaders: headers,
      ...(env['ANTHROPIC_LOG'] ? {} : { logLevel: 'off' as const }), // errors are thrown, and reported once
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
  const adviseOnProxy = (error: unknown): void => {
    const advice = describeUnusedProxy(env, url);
    if (advice !== undefined && error instanceof Error) Object.assign(error, { advice });
  };
  const isPlain = !(fetch ?? (env['ANTHROPIC_LOG'] || hasProxy(env)));
  const isDirect = (): boolean => isPlain && !isTraced() && !isFetchReplaced();

  return {
    warmUp() {
      if (!isDirect()) sdk.warmUp();
    },
    async stream(request, how) {
      try {
        const events = isDirect() ? await streamDirectly(request, how) : undefined;
        return events ?? (await streamBySdk(request, how));
      } catch (error) {
        hideSecret(error, secret);
        if (fetch === undefined) adviseOnProxy(error);
        throw error;
      }
    },
  };
}
