import { nameAndMessageOf } from '../core/errors.js';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { findRequestProblem } from './check-request.js';
import { answerFake } from './answer-fake.js';
import type { FakeReply } from './fake-reply.js';

/** A request as it arrived at the fake. */
export type FakeRequest = {
  /** From 0, in the order of arrival. */
  readonly index: number;
  /** Path and query of the URL, such as `/v1/messages?beta=true`. */
  readonly path: string;
  /** Headers, as Node gives them. */
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON. */
  readonly body: FakeRequestBody;
  /** Epoch ms. */
  readonly receivedAt: number;
  /** Resolves when the exchange is over: `finished`, or `hung up` by the client (an abort) or by a fault. */
  readonly closed: Promise<'finished' | 'hung up'>;
};

/** Body of a request, as the Messages API defines it. */
export type FakeRequestBody = {
  /** ID that the client asked for. */
  readonly model: string;
  /** The whole conversation, oldest message first. */
  readonly messages: readonly {
    /** Who speaks. */
    readonly role: 'user' | 'assistant';
    /** A text, or blocks. */
    readonly content:
      | string
      | readonly {
          /** Such as `text` or `tool_result`; the other fields depend on it. */
          readonly type: string;
          readonly [key: string]: unknown;
        }[];
  }[];
  readonly [key: string]: unknown;
};

/** Replies of a fake Messages API. */
export type FakeMessagesApiOptions = {
  /** Answers, one for each request in the order of arrival. */
  readonly replies?: readonly FakeReply[];
  /** Called for each request once `replies` are used up. */
  readonly handler?: (request: FakeRequest) => FakeReply | Promise<FakeReply>;
  /** The only key or token that is accepted; any if absent. */
  readonly apiKey?: string;
  /** Whether requests that the real API would refuse are answered 400. */
  readonly isStrict?: boolean;
};

/** A Messages API on this machine, over real HTTP. */
export interface FakeMessagesApi {
  /** For ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** All requests to `/v1/messages` so far, also those that were refused. */
  readonly requests: readonly FakeRequest[];
  /** Why requests were answered 400, in order: a test can expect it to be empty. */
  readonly problems: readonly string[];
  /** Resolves with the request of this index as soon as it has arrived. */
  request(index: number): Promise<FakeRequest>;
  /** End every connection. A second call has no further effect. */
  close(): Promise<void>;
}

/**
 * Start a fake on a free port of 127.0.0.1.
 *
 * @example const api = await createFakeMessagesApi({ replies: [{ tools: [{ name: 'Bash', input: { command: 'true' } }]
 * }, { text: 'Done.' }], }) const model = createAnthropicModel({ baseURL: api.url, apiKey: 'test' })
 */
export async function createFakeMessagesApi({
  replies = [],
  handler,
  apiKey,
  isStrict = true,
}: FakeMessagesApiOptions = {}): Promise<FakeMessagesApi> {
  const log = createRequestLog();
  const problems: string[] = [];
  let answered = 0;

  const refuse = (
    response: ServerResponse,
    status: number,
    type: string,
    message: string,
  ): void => {
    if (status === 400) problems.push(message);
    void answerFake(response, { status, error: { type, message } }, { index: -1, body: undefined });
  };

  const replyTo = async (request: FakeRequest): Promise<FakeReply | undefined> => {
    const reply = replies[answered];
    answered += 1;
    return reply ?? (await handler?.(request));
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path] = (incoming.url ?? '').split('?');
    const text = await readAll(incoming);
    if (incoming.method !== 'POST' || !path?.startsWith('/v1/messages')) {
      return refuse(response, 404, 'not_found_error', `${incoming.method} ${path} does not exist`);
    }
    const key = keyOf(incoming.headers);
    if (key === undefined || (apiKey !== undefined && key !== apiKey)) {
      return refuse(response, 401, 'authentication_error', 'invalid x-api-key');
    }
    const body = parseJson(text);
    if (path === '/v1/messages/count_tokens') {
      const counted = JSON.stringify({ input_tokens: Math.ceil(text.length / 4) });
      return answerFake(response, { status: 200, body: counted }, { index: -1, body });
    }
    const request = log.add(incoming, response, body);
    const problem = isStrict ? findRequestProblem(body) : undefined;
    if (problem !== undefined) return refuse(response, 400, 'invalid_request_error', problem);
    const reply = await replyTo(request);
    if (reply === undefined) {
      const message = `the fake has no reply for request ${request.index}: it has ${replies.length}`;
      return refuse(response, 400, 'invalid_request_error', message);
    }
    await answerFake(response, reply, request);
  };

  const { url, close } = await listen((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      // If a handler or gate throws, the error becomes a problem, and the client gets a definite answer.
      const message = `the fake's own code threw: ${nameAndMessageOf(error)}`;
      if (response.headersSent) {
        problems.push(message);
        response.destroy();
      } else refuse(response, 400, 'invalid_request_error', message);
    });
  });
  return { url, requests: log.requests, problems, request: log.request, close };
}

/** The requests that have arrived, and callers that wait for requests. */
function createRequestLog() {
  const requests: FakeRequest[] = [];
  const waiting = new Map<number, PromiseWithResolversOf<FakeRequest>>();
  return {
    requests,
    add(incoming: IncomingMessage, response: ServerResponse, body: unknown): FakeRequest {
      const request: FakeRequest = {
        index: requests.length,
        path: incoming.url ?? '/',
        headers: incoming.headers,
        body: body as FakeRequestBody, // a fake that is not strict leaves the checks to the test
        receivedAt: Date.now(),
        closed: new Promise((resolve) => {
          response.once('close', () => resolve(response.writableFinished ? 'finished' : 'hung up'));
        }),
      };
      requests.push(request);
      waiting.get(request.index)?.resolve(request);
      return request;
    },
    request(index: number): Promise<FakeRequest> {
      const there = requests[index];
      if (there !== undefined) return Promise.resolve(there);
      const pending = waiting.get(index) ?? withResolvers<FakeRequest>();
      waiting.set(index, pending);
      return pending.promise;
    },
  };
}

/** Start a server on a free port of 127.0.0.1. */
async function listen(
  onRequest: RequestListener,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  let closing: Promise<void> | undefined;
  const { port } = server.address() as AddressInfo; // a TCP server that listens has a port
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      closing ??= new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      });
      return closing;
    },
  };
}

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-api-key'];
  if (typeof header === 'string') return header;
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer); // no encoding is set
  return Buffer.concat(parts).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller answers: not a JSON object
  }
}

type PromiseWithResolversOf<T> = {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
};

/** Like `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers<T>(): PromiseWithResolversOf<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
