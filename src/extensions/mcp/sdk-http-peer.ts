import { setTimeout as delay } from 'node:timers/promises';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { McpHttpServerConfig, McpSSEServerConfig } from './server-config.js';
import { createServerFetch } from './sdk-http-fetch.js';
import type { McpPeer } from './sdk-peers.js';

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
  }: {
    readonly headers: Readonly<Record<string, string>>;
    readonly env: Readonly<Record<string, string | undefined>>;
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

  const { fetch, cancel } = createServerFetch({
    env,
    answersInPlace: config.type !== 'sse',
    maxFailedStreams: RECONNECTION.maxRetries,
    onLost,
  });
  const options = { fetch, requestInit: { headers: { ...headers } } };
  const url = new URL(config.url);
  const inner =
    config.type === 'sse'
      ? new SSEClientTransport(url, options)
      : new StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: RECONNECTION });

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
      await inner.start();
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

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}
