import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServerHost } from '../../../src/actors/mcp/server-host.js';
import { messageOf } from '../../../src/core/errors.js';
import { connectMcpClient } from '../../../src/extensions/mcp/client/sdk-client.js';
import type { ProcessSupervisor } from '../../../src/processes/process-supervisor.js';
import { beginEvents, serveHostile, type Hostility } from '../../support/mcp/hostile-server.js';
import { createHttpServer, type HttpServer } from '../../support/mcp/http-server.js';
import { createFolder } from '../../support/troupe.js';

const SHORT_MS = 50;
const LONG_MS = 10_000;
const LIMIT = /timed out|gave no answer|due to timeout/;
const METHODS = ['initialize', 'tools/list', 'tools/call'] as const;

let http: HttpServer;
let outside: HttpServer;
const away: string[] = [];
beforeAll(async () => {
  [http, outside] = await Promise.all([createHttpServer(), createHttpServer()]);
  outside.serve('/mcp', ({ method }, response) => {
    away.push(String(method));
    response.end();
  });
});
afterAll(() => Promise.all([http.close(), outside.close()]));

const drip = (response: Parameters<Hostility>[0], text: string): void => {
  const more = setInterval(() => response.write(text), 20);
  response.on('close', () => clearInterval(more));
};
const FAULTS: Readonly<Record<string, readonly [hostility: Hostility, error: RegExp]>> = {
  'a reset': [
    (response) => void response.socket?.resetAndDestroy(),
    /it cannot be reached|it is unknown/,
  ],
  'a connection that ends': [
    (response) => void response.destroy(),
    /it cannot be reached|it is unknown/,
  ],
  'no answer': [() => {}, LIMIT],
  'headers without end': [
    ({ socket }) => {
      socket?.write('HTTP/1.1 200 OK\r\n');
      const more = setInterval(() => socket?.write('x-more: 1\r\n'), 20);
      socket?.on('close', () => clearInterval(more));
    },
    LIMIT,
  ],
  'JSON without end': [
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      drip(response, ' ');
    },
    LIMIT,
  ],
  'headers and no body': [
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
    LIMIT,
  ],
  'half a body': [
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{', () => response.destroy());
    },
    /answer broke off: it is unknown/,
  ],
  'a body that is not compressed': [
    (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end('{}'),
    /answer broke off: it is unknown/,
  ],
  'text that is not JSON': [
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    /its answer is not JSON: \{/,
  ],
  'the answer to another request': [
    (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","id":4711,"result":{}}'),
    LIMIT,
  ],
  'a promise without an answer': [(response) => void response.writeHead(202).end(), LIMIT],
  'no content': [(response) => void response.writeHead(204).end(), /content type/],
  'too many requests': [
    (response) => void response.writeHead(429, { 'retry-after': '3600' }).end('slow down'),
    /HTTP 429: slow down/,
  ],
  'events without end': [(response) => drip(beginEvents(response), ': wait\n\n'), LIMIT],
  'a web page': [
    (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in.</p>'),
    /Unexpected content type: text\/html/,
  ],
  'no content type': [(response) => void response.writeHead(200).end(), /content type/],
  'a failure': [(response) => void response.writeHead(500).end('down'), /HTTP 500: down/],
  'a failure without end': [(response) => drip(response.writeHead(502), 'x'), LIMIT],
  'a session that is over': [
    (response) => void response.writeHead(404).end('gone'),
    /HTTP 404: gone|its session is over/,
  ],
  'a wish for a login': [
    (response) => void response.writeHead(401).end('who?'),
    /HTTP 401: who\? Run troupe mcp login f/,
  ],
  'a redirect elsewhere': [
    (response) => void response.writeHead(307, { location: `${outside.url}/mcp` }).end(),
    /Redirect to \S+ not followed/,
  ],
  'a redirect that loses the request': [
    (response) => void response.writeHead(303, { location: '/nothing' }).end(),
    /Redirect to \S+ not followed/,
  ],
  'a redirect in a circle': [
    (response) => void response.writeHead(307, { location: '?' }).end(),
    /redirect|Redirect|HTTP 307|Streamable HTTP error/,
  ],
};

/** Use a server until it fails. @param limitMs limit of the request that fails */
async function use(
  url: string,
  at: (typeof METHODS)[number],
  limitMs: number,
  type: 'http' | 'sse' = 'http',
): Promise<string> {
  const limitOf = (method: string): number => (method === at ? limitMs : LONG_MS);
  const home = await createFolder();
  const host = createServerHost({
    server: 'f',
    config: { type, url },
    cwd: '/',
    env: () => ({ TROUPE_HOME: home }),
    processes: undefined as never as ProcessSupervisor, // a server at an address has no process
  });
  const signal = AbortSignal.timeout(type === 'sse' ? limitMs : LONG_MS);
  try {
    const peer = await host.start(signal);
    const client = await connectMcpClient(peer, {
      server: 'f',
      signal,
      timeoutMs: limitOf('initialize'),
      roots: () => [],
      onNote: () => {},
    });
    await client.listTools(AbortSignal.timeout(limitOf('tools/list')));
    const limits = { timeoutMs: limitOf('tools/call'), maxTotalMs: LONG_MS };
    await client.callTool({ tool: 'go', args: {}, signal, limits });
    return 'no error';
  } catch (error) {
    return messageOf(error);
  } finally {
    await host.close();
  }
}

it.each(METHODS)('a fault of the answer to %s ends what waits for it', async (at) => {
  const found = await Promise.all(
    Object.entries(FAULTS).map(async ([what, [hostility, error]], index) => {
      let closed: Promise<unknown> = Promise.resolve();
      const note: Hostility = (response, ...rest) => {
        closed = once(response, 'close');
        hostility(response, ...rest);
      };
      const url = serveHostile(http, `/${at}/${index}`, note, at);
      const told = await use(url, at, error === LIMIT ? SHORT_MS : LONG_MS);
      await closed; // no request is left open
      return [what, error.test(told) ? '' : told] as const;
    }),
  );
  expect(found).toEqual(Object.keys(FAULTS).map((what) => [what, '']));
  expect(away).toEqual([]);
});

type Said = (say: (message: object) => void, id: number) => void;
const DONE = { content: [{ type: 'text', text: 'done' }] };
const answer = (id: number, result: unknown = DONE): object => ({ jsonrpc: '2.0', id, result });
const notify = (method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  method,
  params,
});
const inputSchema = { type: 'object' };
const toolsNamed = (names: readonly string[]) => names.map((name) => ({ name, inputSchema }));
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
const NONE = /^no error$/;

/** Contents of streams that a server sends in place of a plain answer, at a method. */
const CONTENTS: Readonly<Record<string, readonly [(typeof METHODS)[number], Said, RegExp]>> = {
  'two answers': ['tools/call', (say, id) => [answer(id), answer(id)].forEach(say), NONE],
  'answers to other requests first': [
    'tools/call',
    (say, id) => [...numbers(1_000).map((at) => answer(at + 9_000)), answer(id)].forEach(say),
    NONE,
  ],
  'an ID of another type': [
    'tools/call',
    (say, id) => say({ ...answer(id), id: { of: id } }),
    LIMIT,
  ],
  'a flood of notifications': [
    'tools/call',
    (say, id) => {
      for (const at of numbers(500))
        say(notify('notifications/message', { level: 'info', data: at }));
      say(answer(id));
    },
    NONE,
  ],
  'unknown notifications and requests': [
    'tools/call',
    (say, id) => {
      for (const at of numbers(200)) {
        say(notify('notifications/strange'));
        say({ ...notify('strange/request'), id: `back-${at}` });
      }
      say(answer(id));
    },
    NONE,
  ],
  'a result of 11 MB': [
    'tools/call',
    (say, id) => say(answer(id, { content: [{ type: 'text', text: 'x'.repeat(11_000_000) }] })),
    /more than 10485760 characters/,
  ],
  'a result that is null': ['tools/call', (say, id) => say(answer(id, null)), LIMIT],
  'an error without a code': [
    'tools/call',
    (say, id) => say({ jsonrpc: '2.0', id, error: { message: 'no' } }),
    LIMIT,
  ],
  'an error that a server gives': [
    'tools/call',
    (say, id) => say({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'no' } }),
    /no/,
  ],
  'content that is no list': [
    'tools/call',
    (say, id) => say(answer(id, { content: 'done' })),
    /content/,
  ],
  '3,000 tools': [
    'tools/list',
    (say, id) => say(answer(id, { tools: toolsNamed(['go', ...numbers(3_000).map(String)]) })),
    NONE,
  ],
  'tools of one name': [
    'tools/list',
    (say, id) => say(answer(id, { tools: toolsNamed(['go', 'go', 'go']) })),
    NONE,
  ],
  'tools that are no list': ['tools/list', (say, id) => say(answer(id, { tools: 7 })), /tools/],
  'a protocol of the future': [
    'initialize',
    (say, id) =>
      say(
        answer(id, {
          protocolVersion: '2999-01-01',
          capabilities: {},
          serverInfo: { name: 'x', version: '1' },
        }),
      ),
    /2999-01-01/,
  ],
  'an empty welcome': ['initialize', (say, id) => say(answer(id, {})), /protocolVersion/],
};

it('hostile contents are borne, or end what waits for them', async () => {
  const found = await Promise.all(
    Object.entries(CONTENTS).map(async ([what, [at, said, expected]], index) => {
      const hostility: Hostility = (response, id) => {
        const stream = beginEvents(response);
        said((message) => stream.write(`data: ${JSON.stringify(message)}\n\n`), id);
        if (expected !== LIMIT) stream.end();
      };
      const url = serveHostile(http, `/contents/${index}`, hostility, at);
      const told = await use(url, at, expected === LIMIT ? SHORT_MS : LONG_MS);
      return [what, expected.test(told) ? '' : told.slice(0, 300)] as const;
    }),
  );
  expect(found).toEqual(Object.keys(CONTENTS).map((what) => [what, '']));
});

/** How a server of the older transport answers the request for its stream, or the first request behind it. */
const SSE_FAULTS: Readonly<Record<string, readonly [(stream: ServerResponse) => void, RegExp]>> = {
  'no answer': [() => {}, LIMIT],
  'a stream without an address': [(stream) => beginEvents(stream).flushHeaders(), LIMIT],
  'a stream without an address that ends': [
    (stream) => void beginEvents(stream).end(),
    /its stream of events ended/,
  ],
  'an address elsewhere': [
    (stream) => void beginEvents(stream).write(`event: endpoint\ndata: ${outside.url}/mcp\n\n`),
    /Endpoint origin does not match/,
  ],
  'an address that refuses': [
    (stream) => void beginEvents(stream).write('event: endpoint\ndata: /nowhere\n\n'),
    /HTTP 404: nothing here/,
  ],
  'an address that answers nothing': [
    (stream) => void beginEvents(stream).write('event: endpoint\ndata: /accepts\n\n'),
    LIMIT,
  ],
  'a web page': [
    (stream) => void stream.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi.</p>'),
    /Invalid content type/,
  ],
  'a failure': [
    (stream) => void stream.writeHead(500).end('down'),
    /^it answered with HTTP 500: down$/,
  ],
  'a reset': [
    (stream) => void stream.socket?.resetAndDestroy(),
    /^it cannot be reached: read ECONNRESET$/,
  ],
};

it('a fault of the older transport ends the connection', async () => {
  http.serve('/accepts', (_, response) => void response.writeHead(202).end());
  const found = await Promise.all(
    Object.entries(SSE_FAULTS).map(async ([what, [fault, error]], index) => {
      const url = http.serve(`/sse/${index}`, (_, response) => fault(response));
      const told = await use(url, 'initialize', error === LIMIT ? 2 * SHORT_MS : LONG_MS, 'sse');
      return [what, error.test(told) ? '' : told] as const;
    }),
  );
  expect(found).toEqual(Object.keys(SSE_FAULTS).map((what) => [what, '']));
  expect(away).toEqual([]);
});
