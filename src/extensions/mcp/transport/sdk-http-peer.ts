import { setTimeout as delay } from 'node:timers/promises';
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { McpHttpServerConfig, McpSSEServerConfig } from '../servers/server-config.js';
import type { McpAuthorization } from '../login/sdk-authorized-fetch.js';
import { createServerFetch, type ServerFetchOptions } from './sdk-http-fetch.js';
import type { McpPeer } from './sdk-peers.js';
import type { Environment } from '../../../files/folders.js';

/** Limit of the request that ends a session. */
const END_MS = 1_000;
const RECONNECTION = {
  initialReconnectionDelay: 250,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
};

/** Make the peer of a server at an address. */
export function peerOfAddress(
  config: McpHttpServerConfig | McpSSEServerConfig,
  {
    headers,
    env,
    tokens,
  }: {
    readonly headers: Readonly<Record<string, string>>;
    readonly env: Environment;
    /** The tokens of requests; unused if the headers have one. */
    readonly tokens: McpAuthorization;
  },
): McpPeer {
  let how: string | undefined;
  let tellEnd: (how: string) => void;
  const ended = new Promise<string>((resolve) => {
    tellEnd = resolve;
  });
  const end = async (why: string): Promise<void> => {
    how ??= why;
    await inner.close();
    await delivery;
    transport.onclose?.();
    tellEnd(how);
  };
  const onLost = (why: string): void => {
    if (how !== undefined) return;
    how = why;
    setImmediate(() => void end(why)); // the request that failed rejects first: its error says more
  };

  const { inner, cancel, start } = createInner(config, headers, {
    env,
    answersInPlace: config.type !== 'sse',
    maxFailedStreams: RECONNECTION.maxRetries,
    onLost,
    access: new Headers(headers).has('authorization')
      ? undefined
      : { origin: new URL(config.url).origin, tokens },
  });

  // Deliver one message in each step: the SDK handles notifications a step later than answers.
  let delivery = Promise.resolve();
  const transport: Transport = {
    async start() {
      Object.assign(inner, {
        onmessage: (message: JSONRPCMessage) => {
          delivery = delivery
            .then(() => transport.onmessage?.(message))
            .catch((error: unknown) => transport.onerror?.(error as Error)); // the SDK throws Errors
        },
        onerror: (error: Error) => transport.onerror?.(error),
      });
      await start();
    },
    async send(message) {
      await inner.send(message);
      const cancelled = cancelledBy(message);
      if (cancelled !== undefined) cancel(cancelled);
    },
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
    async close() {
      if (how === undefined && inner instanceof StreamableHTTPClientTransport)
        await Promise.race([
          inner.terminateSession().catch(() => {}), // the server ends it by itself
          delay(END_MS, undefined, { ref: false }),
        ]);
      await end('it was closed');
    },
  };
  return {
    transport,
    get isGone() {
      return how !== undefined;
    },
    ended,
  };
}

/** Make the transport of the SDK. */
function createInner(
  config: McpHttpServerConfig | McpSSEServerConfig,
  headers: Readonly<Record<string, string>>,
  options: ServerFetchOptions,
): {
  readonly inner: SSEClientTransport | StreamableHTTPClientTransport;
  readonly cancel: (id: RequestId) => void;
  readonly start: () => Promise<void>;
} {
  const { fetch, cancel } = createServerFetch(options);
  let refusal: unknown;
  const noteRefusal: FetchLike = (to, init) =>
    fetch(to, init).catch((error: unknown) => {
      refusal = error;
      throw error;
    });
  const both = { fetch: noteRefusal, requestInit: { headers: { ...headers } } };
  const url = new URL(config.url);
  const inner =
    config.type === 'sse'
      ? new SSEClientTransport(url, both)
      : new StreamableHTTPClientTransport(url, { ...both, reconnectionOptions: RECONNECTION });
  return {
    inner,
    cancel,
    start: () =>
      inner.start().catch((error: unknown) => {
        const hasEnded = error instanceof SseError && error.event.message === undefined;
        throw refusal ?? (hasEnded ? new Error('its stream of events ended at once') : error); // the older transport throws its own
      }),
  };
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}
