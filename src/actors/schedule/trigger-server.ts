import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tryParseJson } from '../../core/json/try-parse-json.js';
import { hasToken } from '../services/bearer-token.js';
import { readBody } from '../services/read-body.js';
import type { Alarm } from '../services/timers.js';
import type { OutsideData } from './prompt-text.js';

const MOST_BODY_BYTES = 64 * 1024;
const MOST_CONNECTIONS = 64;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** Limit for answers to complete requests before the port is closed. */
const LONGEST_ANSWER_MS = 1_000;

/** The trigger of a request, as the server uses it. */
export type TriggerEndpoint = {
  readonly tokenHash: Buffer;
  /** Seconds until the trigger takes another request; 0 if it takes this one. */
  busyFor(): number;
  /** Resolve when the agent will get the data, also after a crash. */
  take(data: OutsideData): Promise<void>;
};

export interface TriggerServer {
  readonly url: string;
  /** Resolve when the port is closed. Complete requests are answered before, within a second. */
  close(): Promise<void>;
}

type Answer = {
  readonly status: number;
  readonly error?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Listen on this machine only, on a port that the system chooses. Path `/<id>`, method POST, a token as Bearer. */
export async function openTriggerServer(
  find: (id: string) => TriggerEndpoint | undefined,
  timers: Alarm,
): Promise<TriggerServer> {
  /** Oldest first. */
  const connections = new Set<Socket>();
  const answering = new Set<IncomingMessage>();
  let isClosing = false;
  /** Whether a complete request still waits for its answer. */
  const isOwed = (socket: Socket): boolean =>
    [...answering].some((request) => request.socket === socket && request.complete);

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      const { socket } = request;
      answering.add(request);
      response.once('close', () => {
        answering.delete(request);
        if (isClosing && !isOwed(socket)) socket.destroySoon();
      });
      respond(request, find)
        .catch((): Answer => ({ status: 500, error: 'the agent could not be reached' }))
        .then((answer) => send(response, answer));
    },
  );
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    if (connections.size <= MOST_CONNECTIONS) return;
    // idle connections keep nobody out: at worst the new one is dropped
    const dropped = [...connections].find((one) => !isOwed(one)) ?? socket;
    connections.delete(dropped);
    dropped.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // a listening server has an address
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        isClosing = true;
        const cancel = timers.after(LONGEST_ANSWER_MS, () => server.closeAllConnections());
        server.close(() => {
          cancel();
          resolve();
        });
        for (const socket of connections) if (!isOwed(socket)) socket.destroy();
      }),
  };
}

const NO_TRIGGER: Answer = { status: 404, error: 'there is no such trigger' };

async function respond(
  request: IncomingMessage,
  find: (id: string) => TriggerEndpoint | undefined,
): Promise<Answer> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const id = path.slice(1);
  const endpoint = find(id);
  if (endpoint === undefined) return NO_TRIGGER;
  if (request.method !== 'POST')
    return { status: 405, error: 'use POST', headers: { allow: 'POST' } };
  if (!hasToken(request.headers.authorization, endpoint.tokenHash))
    return {
      status: 401,
      error: 'give the token: Authorization: Bearer TOKEN',
      headers: { 'www-authenticate': 'Bearer' },
    };
  const body = await readBody(request, MOST_BODY_BYTES);
  if (body === undefined)
    return { status: 413, error: `a body has at most ${MOST_BODY_BYTES} bytes` };
  const data = toData(body, request.headers['content-type']);
  if ('status' in data) return data;
  if (find(id) !== endpoint) return NO_TRIGGER; // deleted while the body arrived
  const seconds = endpoint.busyFor();
  if (seconds > 0)
    return {
      status: 429,
      error: 'too many requests',
      headers: { 'retry-after': String(seconds) },
    };
  await endpoint.take(data);
  return { status: 202 };
}

function toData(body: Buffer, header = 'text/plain'): OutsideData | Answer {
  const contentType = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return { status: 400, error: 'the body is not UTF-8' };
  }
  if (contentType.startsWith('text/') || contentType === 'application/x-www-form-urlencoded')
    return { contentType, data: text };
  if (contentType !== 'application/json')
    return { status: 415, error: 'send text/plain or application/json' };
  const data = tryParseJson(text);
  return data === undefined
    ? { status: 400, error: 'the body is not JSON' }
    : { contentType, data };
}

function send(response: ServerResponse, { status, error, headers = {} }: Answer): void {
  const body = JSON.stringify(error === undefined ? { accepted: true } : { error });
  // an unread rest of a body would be taken for the next request
  const closing = response.req.complete ? {} : { connection: 'close' };
  response.writeHead(status, { 'content-type': 'application/json', ...headers, ...closing });
  response.end(`${body}\n`, () => {
    if (!response.req.complete) response.req.destroy();
  });
}
