import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { isTroupeError, messageOf } from '../../api/errors.js';
import { warn } from '../output/print.js';
import { openHttpFront } from '../../api/serve/http-front.js';
import { createToken } from '../../api/serve/token.js';

/** One server-sent event. A page that has lost its connection continues after the ID of its last one. */
export type StreamPart = { readonly event: string; readonly id?: string; readonly data: unknown };

type Stream = (body: unknown, signal: AbortSignal) => AsyncGenerator<StreamPart>;

export type WebRoutes = {
  /** Files of the page by path, for everybody; each is read when it is asked for. */
  readonly files: Readonly<Record<string, { readonly file: URL; readonly type: string }>>;
  /** Streams of events by path. */
  readonly streams: Readonly<Record<string, Stream>>;
  /** Commands of the page by path. */
  readonly commands: Readonly<Record<string, (body: unknown) => Promise<unknown>>>;
};

export type WebServer = {
  /** The address for a browser, with its token. */
  readonly address: string;
  close(): Promise<void>;
};

const MOST_BODY_BYTES = 1024 * 1024;
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serve the page to the browsers of this user, on 127.0.0.1. All but its files needs the token of the address, which the
 * page sends as a header: a browser would send a cookie to servers on other ports too. Commands also need the page itself
 * as origin.
 *
 * @throws UsageError if the port cannot be used
 */
export async function openWebServer(routes: WebRoutes, port: number): Promise<WebServer> {
  const { token, tokenHash } = createToken();
  const ended = new AbortController();
  const front = await openHttpFront({
    host: '127.0.0.1',
    port,
    tokenHash,
    isPublic: (path) => Object.hasOwn(routes.files, path),
    answer: async (request, response) => {
      const url = new URL(request.url ?? '/', front.url);
      setHeaders(response);
      await answer(routes, request, response, { url, ended: ended.signal });
    },
    warn: (message) => warn([message]),
  });
  return {
    address: `${front.url}/#token=${token}`,
    async close() {
      ended.abort();
      await front.close();
    },
  };
}

async function answer(
  { files, streams, commands }: WebRoutes,
  request: IncomingMessage,
  response: ServerResponse,
  { url, ended }: { readonly url: URL; readonly ended: AbortSignal },
): Promise<void> {
  const file = own(files, url.pathname);
  if (file !== undefined) {
    if (request.method !== 'GET') return end(response, 405, 'This takes GET.');
    response.writeHead(200, { 'content-type': file.type }).end(await readFile(file.file));
    return;
  }
  const stream = own(streams, url.pathname);
  const command = own(commands, url.pathname);
  if (stream === undefined && command === undefined)
    return end(response, 404, 'There is no such page.');
  if (request.method !== 'POST') return end(response, 405, 'This takes POST.');
  const refused = refusalOf(request);
  if (refused !== undefined) return end(response, ...refused);
  let body: unknown;
  try {
    body = await json(request);
  } catch {
    return end(response, 400, 'This is not JSON.');
  }
  try {
    if (stream !== undefined) return await send(stream, body, { response, ended });
    const result = await command?.(body);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  } catch (error) {
    const [status, code] = isTroupeError(error) ? [409, { code: error.code }] : [500, {}];
    const problem = { ...code, message: messageOf(error) };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(problem));
  }
}

/** Why a request is no request of the page; undefined if it is one. */
function refusalOf({ headers }: IncomingMessage): readonly [number, string] | undefined {
  const { origin, host, 'content-type': type, 'content-length': length } = headers;
  if (origin !== `http://${host}`) return [403, 'Only the page itself may do this.'];
  if (type !== 'application/json') return [415, 'Send application/json.'];
  if (!(Number(length) <= MOST_BODY_BYTES)) return [413, 'This is too long.'];
  return undefined;
}

/**
 * Send server-sent events as fast as the page reads. The end of the connection is the end of the stream: a browser reports
 * a stream of chunks that ends early, as with this process, as an error. So the last event says whether the stream is whole
 * (`end`) or why it is not (`failed`).
 */
async function send(
  stream: Stream,
  body: unknown,
  { response, ended }: { readonly response: ServerResponse; readonly ended: AbortSignal },
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, ended]);
  const parts = stream(body, signal);
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
  response.flushHeaders();
  let last: StreamPart = { event: 'end', data: null };
  try {
    for await (const part of parts) {
      if (signal.aborted) break;
      if (!response.write(textOf(part))) await drained(response, signal);
    }
  } catch (error) {
    last = { event: 'failed', data: messageOf(error) };
  }
  response.end(signal.aborted ? '' : textOf(last));
}

function textOf({ event, id, data }: StreamPart): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal }).catch(() => {});
}

function setHeaders(response: ServerResponse): void {
  response.setHeader('content-security-policy', POLICY);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${text}\n`);
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
