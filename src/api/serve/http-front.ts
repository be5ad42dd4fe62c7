import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { messageOf, UsageError } from '../../core/errors.js';
import { describeSystemError } from '../../core/system-error.js';
import { hasToken } from '../../actors/services/bearer-token.js';

const MOST_CONNECTIONS = 256;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** An HTTP server for programs that know a token. */
export interface HttpFront {
  /** Address without a path. */
  readonly url: string;
  /** Resolve when the port and all connections are closed. */
  close(): Promise<void>;
}

export type HttpFrontOptions = {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  readonly tokenHash: Buffer;
  /** Whether a request needs no token. */
  readonly isPublic?: (path: string) => boolean;
  /** Answer a request that has passed all checks. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Report a request that failed, in words for a person. A client that has gone is no failure. */
  readonly warn: (message: string) => void;
};

/**
 * Listen for requests. The name in `Host` and in `Origin` must be a name of this server, so that a page of another site
 * cannot reach it (DNS rebinding); no page of another site may read an answer (CORS). All other requests need the token.
 *
 * @throws UsageError if it cannot listen
 */
export async function openHttpFront({
  host,
  port,
  tokenHash,
  isPublic,
  answer,
  warn,
}: HttpFrontOptions): Promise<HttpFront> {
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      const { headers } = request;
      if (!isOwnName(headers.host, host))
        return refuse(response, 403, 'the Host header does not name this server');
      if (headers.origin !== undefined && !isOwnName(originHost(headers.origin), host))
        return refuse(response, 403, 'the Origin header names another site');
      const [path = ''] = (request.url ?? '').split('?', 1);
      if (isPublic?.(path) !== true && !hasToken(headers.authorization, tokenHash)) {
        response.setHeader('www-authenticate', 'Bearer');
        return refuse(response, 401, 'give the token: Authorization: Bearer TOKEN');
      }
      answer(request, response).catch((error: unknown) => {
        const { method = '' } = request;
        if (!isClientGone(error)) warn(`${method} ${path} failed: ${messageOf(error)}`);
        if (response.headersSent) response.destroy();
        else refuse(response, 500, 'the request failed');
      });
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    throw new UsageError(
      `The server cannot listen on ${host}, port ${port}: ${describeSystemError(error)}.`,
    );
  }
  const { port: bound } = server.address() as AddressInfo; // a listening server has an address
  return {
    url: `http://${isIP(host) === 6 ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const GONE: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];

/** Whether a request failed because its client closed the connection. */
function isClientGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GONE.includes(error.code);
}

/** Answer with an error of JSON-RPC, which both protocols use. */
export function refuse(response: ServerResponse, status: number, why: string): void {
  const error = { code: -32_000, message: why };
  const isRead = response.req.complete;
  // an unread rest of a body would be taken for the next request
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(isRead ? {} : { connection: 'close' }),
  });
  response.end(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
}

/** Whether listening on this host lets other machines connect. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host) || host === '::1';
}

/** Whether a host, with or without a port, names a server that listens on `bound`. An address cannot be rebound. */
function isOwnName(given: string | undefined, bound: string): boolean {
  const name = given?.replace(/:\d+$/, '').toLowerCase();
  if (name === undefined) return false;
  if (LOOPBACK.includes(name)) return true;
  if (isLoopback(bound)) return false;
  return name === bound.toLowerCase() || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

function originHost(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}
