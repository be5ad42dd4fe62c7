import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createAnthropicModel,
  type AnthropicModelOptions,
} from '../../../src/model/anthropic/anthropic-model.js';
import { classifyModelError } from '../../../src/model/errors/model-error.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { toRequestBody } from '../../../src/model/anthropic/to-request-body.js';

const REQUEST: ModelRequest = {
  model: 'claude-sonnet-5',
  maxTokens: 1_000,
  system: ['You are terse.'],
  tools: [{ name: 'Bash', description: 'runs', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'zwölf \u{1f600}' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }] },
    { role: 'user', content: [{ type: 'text', text: 'Continue.' }] },
  ],
  effort: 'high',
  thinking: { type: 'enabled', budgetTokens: 2_000 },
  origin: { agentId: 'a', agentType: 'b' },
};

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const close of closing.splice(0)) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server that listens has one
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const url = await listen(server);
  closing.unshift(() => Promise.resolve(server.closeAllConnections()));
  return url;
}

type Seen = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
};

/** A server that notes each request as it arrives. */
async function serveSeen(): Promise<{ readonly url: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const url = await serve(async (incoming, response) => {
    let body = '';
    for await (const part of incoming) body += String(part);
    const { method, url: path, headers } = incoming;
    seen.push({ method, url: path, headers, body });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STOP);
  });
  return { url, seen };
}

const STOP = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
/** Each transport's own: how a body is delimited, compressed, and which connection it takes. */
const OF_TRANSPORT = [
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'sec-fetch-mode',
];
const withoutTransport = ({ headers, ...seen }: Seen): Seen => ({
  ...seen,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OF_TRANSPORT.includes(name)),
  ),
});

async function ask(options: AnthropicModelOptions, signal = new AbortController().signal) {
  const events = await createAnthropicModel({ apiKey: 'the-secret-key', ...options }).stream(
    REQUEST,
    { signal },
  );
  for await (const event of events) expect(event.type).toEqual(expect.any(String));
}

type ClientOptions = ConstructorParameters<typeof Anthropic>[0];

/** As a program does that has nothing but the SDK. */
async function askSdk(options: ClientOptions, signal?: AbortSignal): Promise<void> {
  const client = new Anthropic({
    apiKey: 'the-secret-key',
    authToken: null,
    maxRetries: 0,
    logLevel: 'off',
    ...options,
  });
  // The body has the SDK's shape, only readonly.
  const params = toRequestBody(REQUEST) as unknown as MessageCreateParamsStreaming;
  const events = await client.messages.create(params, signal === undefined ? {} : { signal });
  for await (const event of events) expect(event.type).toEqual(expect.any(String));
}

const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('It was expected to reject.'),
    (error: unknown) => error,
  );

describe('a request that goes out directly is the one of the SDK', () => {
  it.each<readonly [string, AnthropicModelOptions, ClientOptions]>([
    ['with a key', {}, {}],
    [
      'with a token',
      { apiKey: '', authToken: 'the-secret-token' },
      { apiKey: null, authToken: 'the-secret-token' },
    ],
    [
      'with beta features',
      { betas: ['one-2026', 'two-2026'] },
      { defaultHeaders: { 'anthropic-beta': 'one-2026,two-2026' } },
    ],
    [
      'with headers of the user, which win',
      { env: { ANTHROPIC_CUSTOM_HEADERS: 'X-Team: docs\nUser-Agent: me\nContent-Type: text/x' } },
      { defaultHeaders: { 'X-Team': 'docs', 'User-Agent': 'me', 'Content-Type': 'text/x' } },
    ],
    ['with another time-out', { timeoutMs: 12_900 }, { timeout: 12_900 }],
  ])('%s', async (_, ours, theirs) => {
    const { url, seen } = await serveSeen();
    await ask({ baseURL: url, ...ours });
    await askSdk({ baseURL: url, timeout: 600_000, ...theirs });
    const [direct, sdk] = seen.map(withoutTransport);
    expect(direct).toEqual(sdk);
    expect(seen.map(({ headers }) => headers['accept-encoding'])).toEqual([
      'identity',
      expect.stringContaining('gzip'),
    ]);
  });

  it.each(['/', '/below', '/below/', '/a%20b'])('to a base URL that ends in %s', async (path) => {
    const { url, seen } = await serveSeen();
    await ask({ baseURL: `${url}${path}` });
    await askSdk({ baseURL: `${url}${path}` });
    const [direct, sdk] = seen;
    expect([direct?.method, direct?.url]).toEqual([sdk?.method, sdk?.url]);
  });
});

/** The fields of an error that callers read, and its class. */
function describeError(error: unknown): unknown {
  const {
    constructor,
    name,
    message,
    status,
    type,
    apiMessage,
    requestID,
    error: body,
  } = error as InstanceType<typeof Anthropic.APIError>; // or it lacks what is compared
  const { headers } = error as { readonly headers?: Headers };
  const told = headers === undefined ? undefined : Object.fromEntries(headers);
  delete told?.['date'];
  return {
    isOfSdk: error instanceof Anthropic.APIError,
    class: constructor.name,
    name,
    message,
    status,
    type,
    apiMessage,
    requestID,
    body,
    headers: told,
    judged: classifyModelError(error),
  };
}

describe('an error of a direct request is the one of the SDK', () => {
  const json = { 'content-type': 'application/json', 'request-id': 'req_1' };
  const told = (type: string, message = 'so it is'): string =>
    JSON.stringify({ type: 'error', error: { type, message } });
  const refuse =
    (status: number, body = told('some_error'), headers = {}): RequestListener =>
    (_, response) =>
      void response.writeHead(status, { ...json, ...headers }).end(body);

  const both = async (url: string, { ours = {}, theirs = {} } = {}) => ({
    direct: describeError(await thrownBy(ask({ baseURL: url, ...ours }))),
    sdk: describeError(await thrownBy(askSdk({ baseURL: url, ...theirs }))),
  });

  it.each([400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 500, 502, 503, 504, 529])(
    'if the response is %i',
    async (status) => {
      const { direct, sdk } = await both(await serve(refuse(status)));
      expect(direct).toEqual(sdk);
    },
  );

  it.each<readonly [string, RequestListener]>([
    ['that says when to come again', refuse(429, told('x'), { 'retry-after': '7' })],
    ['that says it in ms', refuse(529, told('overloaded_error'), { 'retry-after-ms': '70' })],
    ['that says not to', refuse(500, told('api_error'), { 'x-should-retry': 'false' })],
    ['with limits', refuse(429, told('x'), { 'anthropic-ratelimit-requests-remaining': '0' })],
    ['that is too long', refuse(400, told('invalid_request_error', 'prompt is too long: 9'))],
    ['that is no JSON', refuse(502, '<p>Bad gateway</p>')],
    ['without a body', refuse(500, '')],
    ['that is another JSON value', refuse(500, '[1]')],
    [
      'with its own code',
      refuse(403, JSON.stringify({ error: { type: 'x', details: { error_code: 'some_code' } } })),
    ],
    ['304, which has no body', refuse(304, '')],
  ])('if the response is an error %s', async (_, listener) => {
    const { direct, sdk } = await both(await serve(listener));
    expect(direct).toEqual(sdk);
  });

  it.each(['overloaded_error', 'rate_limit_error', 'api_error', 'invalid_request_error'])(
    'if a stream says %s',
    async (type) => {
      const start = `event: message_start\ndata: {"type":"message_start"}\n\n`;
      const url = await serve((_, response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_2' });
        response.end(`${start}event: error\ndata: ${told(type)}\n\n`);
      });
      const { direct, sdk } = await both(url);
      expect(direct).toEqual(sdk);
    },
  );

  it('if the answer does not come in time', async () => {
    const { direct, sdk } = await both(await serve(() => {}), {
      ours: { timeoutMs: 30 },
      theirs: { timeout: 30 },
    });
    expect(direct).toEqual(sdk);
  });

  it('if the signal is aborted', async () => {
    const url = await serve(() => {});
    const direct = await thrownBy(ask({ baseURL: url }, AbortSignal.timeout(20)));
    const sdk = await thrownBy(askSdk({ baseURL: url }, AbortSignal.timeout(20)));
    expect(describeError(direct)).toEqual(describeError(sdk));
  });

  // Global fetch has other words for what a socket says; the classes and the judgement are the same.
  const likeness = (error: unknown): unknown => {
    const { kind, code } = classifyModelError(error);
    const { name, message, cause } = error as Error;
    return { class: (error as Error).constructor.name, name, message, kind, code, cause: !!cause };
  };

  it.each<readonly [string, () => Promise<string>]>([
    [
      'nobody listens',
      async () => {
        const url = await serve(() => {});
        for (const close of closing.splice(0)) await close();
        return url;
      },
    ],
    [
      'the connection is reset',
      () =>
        listen(createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()))),
    ],
    [
      'the connection is closed',
      () => listen(createTcpServer((socket) => socket.once('data', () => socket.destroy()))),
    ],
    [
      'the answer is no HTTP',
      () =>
        listen(createTcpServer((socket) => socket.once('data', () => socket.end('SSH-2.0\r\n')))),
    ],
  ])('if %s', async (_, start) => {
    const url = await start();
    const direct = await thrownBy(ask({ baseURL: url }));
    const sdk = await thrownBy(askSdk({ baseURL: url }));
    expect(likeness(direct)).toEqual(likeness(sdk));
  });
});

describe('the SDK and global fetch send', () => {
  const isDirect = ({ headers }: Seen): boolean => headers['accept-encoding'] === 'identity';

  it.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])(
    'everything, if %s is set',
    async (name) => {
      const { url, seen } = await serveSeen();
      await ask({ baseURL: url, env: { [name]: 'http://127.0.0.1:1' } });
      expect(seen.map(isDirect)).toEqual([false]); // Node's own goes by no proxy unless told to
    },
  );

  it('everything, if ANTHROPIC_LOG is set', async () => {
    const { url, seen } = await serveSeen();
    await ask({ baseURL: url, env: { ANTHROPIC_LOG: 'off' } });
    expect(seen.map(isDirect)).toEqual([false]);
  });

  it('everything, by the fetch that a program has given', async () => {
    const sent: unknown[] = [];
    const { url, seen } = await serveSeen();
    await ask({ baseURL: url, fetch: (...given) => (sent.push(given[0]), fetch(...given)) });
    expect(sent).toEqual([`${url}/v1/messages`]);
    expect(seen.map(isDirect)).toEqual([false]);
  });

  it('everything, by a global fetch that a program has put in its place', async () => {
    const sent: unknown[] = [];
    const answer = (input: unknown) => {
      sent.push(input);
      const headers = { 'content-type': 'text/event-stream' };
      return Promise.resolve(new Response(STOP, { headers }));
    };
    const model = createAnthropicModel({ apiKey: 'k', baseURL: 'http://127.0.0.1:1' });
    vi.stubGlobal('fetch', answer);
    await model.stream(REQUEST, { signal: new AbortController().signal });
    expect(sent).toEqual(['http://127.0.0.1:1/v1/messages']);
  });

  it('everything, if a program has its own dispatcher', async () => {
    class ProxyAgent {
      dispatch(): boolean {
        throw new Error('the proxy is asleep');
      }
    }
    const symbol = Symbol.for('undici.globalDispatcher.1');
    const holder = globalThis as { [symbol]?: unknown };
    const before = holder[symbol];
    holder[symbol] = new ProxyAgent();
    try {
      const { url } = await serveSeen();
      const error = await thrownBy(ask({ baseURL: url }));
      expect(classifyModelError(error).message).toContain('the proxy is asleep');
    } finally {
      holder[symbol] = before;
    }
  });

  it.each([301, 302, 303, 307, 308])('what a redirect %i asks for', async (status) => {
    const seen: string[] = [];
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      seen.push(`${request.method} ${request.url} ${body === '' ? '' : 'with a body'}`);
      if (request.url === '/there')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STOP);
      else response.writeHead(status, { location: '/there' }).end();
    });
    await ask({ baseURL: url });
    const isKept = status === 307 || status === 308;
    expect(seen.at(-1)).toBe(isKept ? 'POST /there with a body' : 'GET /there ');
  });

  const CUSTOM = 'X-Team: docs\nCookie: a=b\nProxy-Authorization: Basic x\nX-Api-Key: custom';
  const redirectTo =
    (location: string): RequestListener =>
    (_, response) =>
      void response.writeHead(307, { location }).end();

  it.each<readonly [string, AnthropicModelOptions]>([
    ['a key', {}],
    ['a key, by the fetch of a program', { fetch: (...given) => fetch(...given) }],
  ])('to another origin nothing at all: %s', async (_, options) => {
    const other = await serveSeen();
    const url = await serve(redirectTo(`${other.url}/elsewhere`));
    const error = await thrownBy(ask({ baseURL: url, ...options }));
    expect(classifyModelError(error)).toEqual({
      kind: 'fatal',
      code: 'MODEL_REDIRECTED',
      message:
        `The model's endpoint ${url} redirects to another origin, ${other.url}, and Troupe does not send the ` +
        `conversation there. If you trust it, set ANTHROPIC_BASE_URL to ${other.url} and the path of its Messages API.`,
    });
    expect(other.seen).toEqual([]);
  });

  it('custom headers and the key again to the same origin, until a redirect leaves it', async () => {
    const seen: unknown[] = [];
    const other = await serveSeen();
    const url = await serve(({ url: path, headers }, response) => {
      const { authorization, 'x-team': team } = headers;
      seen.push([path, authorization, team]);
      const location = path === '/v1/messages' ? 'there' : other.url;
      response.writeHead(307, { location }).end();
    });
    const error = await thrownBy(
      ask({ baseURL: url, fetch, env: { ANTHROPIC_CUSTOM_HEADERS: CUSTOM } }),
    );
    expect(classifyModelError(error).code).toBe('MODEL_REDIRECTED');
    expect(seen).toEqual([
      ['/v1/messages', 'Bearer the-secret-key', 'docs'],
      ['/v1/there', 'Bearer the-secret-key', 'docs'],
    ]);
    expect(other.seen).toEqual([]);
  });

  it.each([
    ['http://endpoint.example', 'https://endpoint.example/v1/messages', undefined],
    ['https://endpoint.example', 'http://endpoint.example/v1/messages', 'MODEL_REDIRECTED'],
    ['http://endpoint.example', 'https://endpoint.example.org/', 'MODEL_REDIRECTED'],
    ['http://endpoint.example', 'http://endpoint.example:8080/', 'MODEL_REDIRECTED'],
  ])('from %s to %s only if that is https of the same host', async (baseURL, location, code) => {
    const seen: unknown[] = [];
    const network: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      seen.push([request.url, request.headers.get('authorization'), await request.text()]);
      return request.url === location
        ? new Response(STOP, { headers: { 'content-type': 'text/event-stream' } })
        : new Response(null, { status: 308, headers: { location } });
    };
    const error = await ask({ baseURL, fetch: network }).catch(classifyModelError);
    expect(error?.code).toBe(code);
    const sent = ['Bearer the-secret-key', JSON.stringify(toRequestBody(REQUEST))];
    expect(seen).toEqual([
      [`${baseURL}/v1/messages`, ...sent],
      ...(code === undefined ? [[location, ...sent]] : []),
    ]);
  });

  it.each([
    ['without end', '/v1/messages', 'The endpoint redirected 20 times.'],
    [
      'to data',
      'data:text/event-stream,x',
      'The endpoint redirects to something that is no http or https address.',
    ],
    [
      'to no address',
      'http://',
      'The endpoint redirects to something that is no http or https address.',
    ],
  ])('nothing along a redirect %s', async (_, location, why) => {
    const url = await serve(redirectTo(location));
    const { code, message } = classifyModelError(await thrownBy(ask({ baseURL: url })));
    expect({ code, message }).toEqual({
      code: 'MODEL_UNREACHABLE',
      message: expect.stringContaining(why) as string,
    });
  });

  it.each([
    ['a control character', 'Bad\u0001Request'],
    ['DEL', 'Bad\u007fRequest'],
    ['a letter beyond Latin-1', '\u4f60'],
  ])('an error with %s in its reason', async (_, reason) => {
    const body = '{"error":{"message":"no way"}}';
    const head = `HTTP/1.1 400 ${reason}\r\ncontent-length: ${body.length}\r\n\r\n`;
    const url = await listen(
      createTcpServer((socket) => socket.once('data', () => socket.end(`${head}${body}`))),
    );
    const refused = { kind: 'fatal', code: 'MODEL_BAD_REQUEST', status: 400 };
    for (const through of [{}, { fetch }])
      expect(classifyModelError(await thrownBy(ask({ baseURL: url, ...through })))).toMatchObject(
        refused,
      );
  });

  it('at most 64 KB of an error, and reports pings', async () => {
    const { url } = await serveSeen();
    let pieces = 0;
    const model = createAnthropicModel({ apiKey: 'k', baseURL: url, fetch });
    const { signal } = new AbortController();
    const events = await model.stream(REQUEST, { signal, onActivity: () => (pieces += 1) });
    for await (const event of events) expect(event).toEqual({ type: 'message_stop' });
    expect(pieces).toBeGreaterThan(0);
    const long = await serve((_, response) => response.writeHead(400).end('x'.repeat(200_000)));
    const error = await thrownBy(ask({ baseURL: long, fetch }));
    expect((error as Error).message).toHaveLength('400 '.length + 64 * 1024);
  });
});
