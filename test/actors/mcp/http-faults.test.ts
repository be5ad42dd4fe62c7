import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServerHost } from '../../../src/actors/mcp/server-host.js';
import { messageOf } from '../../../src/core/errors.js';
import { connectMcpClient } from '../../../src/extensions/mcp/sdk-client.js';
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
  'a redirect in a circle': [
    (response) => void response.writeHead(307, { location: '?' }).end(),
    /redirect|Redirect|HTTP 307|Streamable HTTP error/,
  ],
};

/** Use a server until it fails. @param limitMs limit of the request that fails */
async function use(url: string, at: (typeof METHODS)[number], limitMs: number): Promise<string> {
  const limitOf = (method: string): number => (method === at ? limitMs : LONG_MS);
  const home = await createFolder();
  const host = createServerHost({
    server: 'f',
    config: { type: 'http', url },
    cwd: '/',
    env: { TROUPE_HOME: home },
    processes: undefined as never as ProcessSupervisor, // a server at an address has no process
  });
  const signal = AbortSignal.timeout(LONG_MS);
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
