import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLeanFetch } from '../../src/model/lean-fetch.js';

const POST = { method: 'POST', body: '{"hello":"world"}' } as const;
const STREAM = { 'content-type': 'text/event-stream' };
const fixture = (name: string): string => join(import.meta.dirname, '../fixtures/tls', name);

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const close of closing.splice(0)) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server that listens has one
}

const serve = async (listener: RequestListener): Promise<string> =>
  `http://${await listen(createServer(listener))}`;

/** A server that answers in bytes: one function for each connection, in order. */
async function serveBytes(...answers: readonly ((socket: Socket) => void)[]): Promise<string> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    answers[count]?.(socket);
    count += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // as above
}

const HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

/** What a streamed body holds, as the SDK reads it. */
async function readAll({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk); // any body is one in Node
  return Buffer.concat(chunks).toString();
}

const reasonOf = (promise: Promise<unknown>): Promise<NodeJS.ErrnoException> =>
  promise.then(
    () => expect.fail('It was expected to reject.'),
    (reason: unknown) => reason as NodeJS.ErrnoException, // of node:http
  );

describe('createLeanFetch', () => {
  const fetch = createLeanFetch({ env: {} });

  it('posts a text with its headers and streams the answer', async () => {
    let seen: unknown;
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      const { 'x-api-key': key, 'content-length': length } = request.headers;
      seen = { method: request.method, url: request.url, key, length, body };
      response.writeHead(200, { ...STREAM, 'request-id': 'req_1' });
      response.write('event: one\n\n');
      response.end('event: zwei \u{1f600}\n\n');
    });
    const headers = new Headers({ 'x-api-key': 'k' });
    const response = await fetch(`${url}/v1/messages?beta=true`, { ...POST, headers });
    expect([response.ok, response.status, response.headers.get('request-id')]).toEqual([
      true,
      200,
      'req_1',
    ]);
    expect(await readAll(response)).toBe('event: one\n\nevent: zwei \u{1f600}\n\n');
    expect(seen).toEqual({
      method: 'POST',
      url: '/v1/messages?beta=true',
      key: 'k',
      length: '17',
      body: POST.body,
    });
  });

  it('keeps the connection for the next request', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, STREAM).end('event: one\n\n');
    });
    for (let count = 0; count < 5; count += 1) await readAll(await fetch(url, POST));
    expect(ports.size).toBe(1);
  });

  it('sends again on a new connection where the server had closed the kept one', async () => {
    const whole = `${HEAD}5\r\nhello\r\n0\r\n\r\n`;
    const requests: string[] = [];
    const url = await serveBytes(
      (socket) =>
        socket.on('data', (data) => {
          requests.push(String(data));
          if (requests.length === 1) socket.write(whole);
          else socket.resetAndDestroy();
        }),
      (socket) =>
        socket.on('data', (data) => {
          requests.push(String(data));
          socket.write(whole);
        }),
    );
    expect(await readAll(await fetch(url, POST))).toBe('hello');
    expect(await readAll(await fetch(url, POST))).toBe('hello');
    expect(requests).toHaveLength(3);
  });

  it('rejects where a new connection is reset: nobody knows what became of the request', async () => {
    let count = 0;
    const reset = (socket: Socket): void =>
      void socket.on('data', () => {
        count += 1;
        socket.resetAndDestroy();
      });
    const url = await serveBytes(reset, reset);
    expect(await reasonOf(fetch(url, POST))).toMatchObject({ code: 'ECONNRESET' });
    expect(count).toBe(1);
  });

  it('rejects with the reason where nobody listens', async () => {
    const url = await serveBytes();
    await closing.pop()?.();
    expect(await reasonOf(fetch(url, POST))).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([301, 302, 303, 307, 308])('leaves the redirect %i to global fetch', async (status) => {
    const seen: string[] = [];
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      seen.push(`${request.method} ${request.url} ${body}`);
      if (request.url === '/there') response.writeHead(200, STREAM).end('moved');
      else response.writeHead(status, { location: '/there' }).end();
    });
    expect(await readAll(await fetch(`${url}/here`, POST))).toBe('moved');
    const isKept = status === 307 || status === 308;
    expect(seen.at(-1)).toBe(isKept ? `POST /there ${POST.body}` : 'GET /there ');
  });

  it('gives errors as whole responses', async () => {
    const url = await serve((_, response) =>
      response.writeHead(429, { 'retry-after': '7' }).end('{"error":{"message":"slow down"}}'),
    );
    const response = await fetch(url, POST);
    expect([response.ok, response.status, response.headers.get('retry-after')]).toEqual([
      false,
      429,
      '7',
    ]);
    expect(await response.json()).toEqual({ error: { message: 'slow down' } });
  });

  it('gives a response without a body', async () => {
    const url = await serve((_, response) => response.writeHead(204).end());
    const response = await fetch(url, POST);
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('reads a stream that comes as %s though nobody asked', async (name, compress) => {
    let asked: unknown;
    const url = await serve((request, response) => {
      asked = request.headers['accept-encoding'];
      response.writeHead(200, { ...STREAM, 'content-encoding': name }).end(compress('event: one'));
    });
    expect(await readAll(await fetch(url, POST))).toBe('event: one');
    expect(asked).toBe('identity');
  });

  it('refuses an encoding that nobody knows', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { ...STREAM, 'content-encoding': 'zzz' }).end('?'),
    );
    const error = await reasonOf(fetch(url, POST).then(readAll));
    expect(error.message).toBe('The answer is encoded as zzz, which was not asked for.');
  });

  it('hands on each piece when it comes', async () => {
    let goOn = (): void => {};
    const url = await serve((_, response) => {
      response.writeHead(200, { ...STREAM, 'content-encoding': 'identity' });
      response.write('first');
      goOn = () => response.end('second');
    });
    const { body } = await fetch(url, POST);
    const seen: string[] = [];
    for await (const chunk of body as unknown as AsyncIterable<Buffer>) {
      seen.push(String(chunk));
      goOn();
    }
    expect(seen).toEqual(['first', 'second']);
  });

  it('makes a server wait whose answer is not read', async () => {
    const size = 64 * 1024 * 1024;
    const url = await serve((_, response) => {
      response.writeHead(200, STREAM);
      const isDrained = response.write(Buffer.alloc(size));
      response.write(isDrained ? 'y' : 'n', () => {});
      response.end();
    });
    const { body } = await fetch(url, POST);
    await new Promise((resolve) => setImmediate(resolve));
    const stream = body as unknown as NodeJS.ReadableStream & { readonly readableLength: number };
    expect(stream.readableLength).toBeLessThan(1024 * 1024);
    let last = '';
    let total = 0;
    for await (const chunk of stream) {
      total += chunk.length;
      last = String(chunk.at(-1));
    }
    expect([total, last]).toEqual([size + 1, String('n'.charCodeAt(0))]);
  });

  it('rejects at an abort before the answer, and hangs up', async () => {
    const controller = new AbortController();
    let closed: Promise<void> | undefined;
    const url = await serve((request) => {
      closed = new Promise((resolve) => request.socket.once('close', () => resolve()));
      controller.abort();
    });
    const { signal } = controller;
    expect((await reasonOf(fetch(url, { ...POST, signal }))).name).toBe('AbortError');
    await closed;
    expect((await reasonOf(fetch(url, { ...POST, signal }))).name).toBe('AbortError');
  });

  it('ends a stream at an abort, and hangs up', async () => {
    const controller = new AbortController();
    let closed: Promise<void> | undefined;
    const url = await serve((request, response) => {
      closed = new Promise((resolve) => request.socket.once('close', () => resolve()));
      response.writeHead(200, STREAM).write('first');
    });
    const { body } = await fetch(url, { ...POST, signal: controller.signal });
    const reading = (async () => {
      for await (const _ of body as unknown as AsyncIterable<Buffer>) controller.abort();
    })();
    expect((await reasonOf(reading)).name).toBe('AbortError');
    await closed;
  });

  it('hangs up where a reader leaves', async () => {
    let closed: Promise<void> | undefined;
    const url = await serve((request, response) => {
      closed = new Promise((resolve) => request.socket.once('close', () => resolve()));
      response.writeHead(200, STREAM).write('first');
    });
    const { body } = await fetch(url, POST);
    for await (const _ of body as unknown as AsyncIterable<Buffer>) break;
    await expect(closed).resolves.toBeUndefined();
  });

  it('leaves no listener on a signal that many requests share', async () => {
    const url = await serve((_, response) => response.writeHead(200, STREAM).end('one'));
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    const added = vi.spyOn(signal, 'addEventListener');
    for (let count = 0; count < 3; count += 1) await readAll(await fetch(url, { ...POST, signal }));
    await vi.waitFor(() => expect(removed.mock.calls.length).toBe(added.mock.calls.length));
    expect(added).toHaveBeenCalledTimes(3);
  });

  it.each([
    ['cut in a chunk', `${HEAD}ff\r\nhello`, 'end'],
    ['reset in a chunk', `${HEAD}ff\r\nhello`, 'reset'],
    ['that breaks the rules', `${HEAD}5\r\nhello\r\nnonsense\r\n`, 'stay'],
  ] as const)('rejects while a stream %s is read', async (_, bytes, then) => {
    const url = await serveBytes((socket) =>
      socket.once('data', () =>
        socket.write(bytes, () => {
          if (then === 'end') socket.end();
          else if (then === 'reset') socket.resetAndDestroy();
        }),
      ),
    );
    const error = await reasonOf(fetch(url, POST).then(readAll));
    expect(error.code).toBe('ECONNRESET');
  });

  it('rejects an answer that is no HTTP', async () => {
    const url = await serveBytes((socket) => socket.once('data', () => socket.end('SSH-2.0\r\n')));
    expect((await reasonOf(fetch(url, POST))).code).toMatch(/^HPE_/);
  });

  it.each(['before its answer', 'in mid-stream'])(
    'gives up an endpoint silent %s',
    async (when) => {
      const url = await serve((_, response) => {
        if (when === 'in mid-stream') response.writeHead(200, STREAM).write('first');
      });
      const impatient = createLeanFetch({ env: {}, idleMs: 30 });
      const error = await reasonOf(impatient(url, POST).then(readAll));
      expect([error.code, error.message]).toEqual([
        'ETIMEDOUT',
        'The endpoint timed out: it sent nothing for 0.03 s.',
      ]);
    },
  );

  describe('over TLS', () => {
    const serveTls = async (): Promise<string> => {
      const key = readFileSync(fixture('key.pem'));
      const cert = readFileSync(fixture('certificate.pem'));
      const server = createTlsServer({ key, cert }, (_, response) =>
        response.writeHead(200, STREAM).end('secret'),
      );
      return `https://${await listen(server)}`;
    };

    it('refuses a certificate that nobody vouches for', async () => {
      const error = await reasonOf(fetch(await serveTls(), POST));
      expect(error.code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    });

    it('trusts what NODE_EXTRA_CA_CERTS names', async () => {
      const url = await serveTls();
      const module = join(import.meta.dirname, '../../.build/modules/model/lean-fetch.js');
      const program = `
        const { createLeanFetch } = await import(${JSON.stringify(module)});
        const fetch = createLeanFetch({ env: {} });
        for (let count = 0; count < 2; count += 1) {
          const { body } = await fetch('${url}', ${JSON.stringify(POST)});
          for await (const chunk of body) process.stdout.write(chunk);
        }`;
      const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: fixture('certificate.pem') },
      });
      expect((await run).stdout).toBe('secretsecret'); // and a kept connection holds no process back
    });
  });

  describe('leaves to global fetch', () => {
    const replace = (): { readonly calls: unknown[] } => {
      const calls: unknown[] = [];
      vi.stubGlobal('fetch', (input: unknown, init: unknown) => {
        calls.push([input, init]);
        return Promise.resolve(new Response('global'));
      });
      return { calls };
    };

    it('everything, where a program has put another one in its place', async () => {
      const { calls } = replace();
      expect(await (await fetch('http://127.0.0.1:1', POST)).text()).toBe('global');
      expect(calls).toEqual([['http://127.0.0.1:1', POST]]);
    });

    it.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])(
      'everything, where %s is set',
      async (name) => {
        const url = await serve((_, response) => response.writeHead(200, STREAM).end('direct'));
        const proxied = createLeanFetch({ env: { [name]: 'http://127.0.0.1:1' } });
        const response = await proxied(url, POST);
        expect(response).toBeInstanceOf(Response);
        expect(await response.text()).toBe('direct'); // Node's own goes by no proxy unless told to
      },
    );

    it('everything, where a program has a dispatcher of its own', async () => {
      class ProxyAgent {
        dispatch(): boolean {
          throw new Error('the proxy is asleep');
        }
      }
      const symbol = Symbol.for('undici.globalDispatcher.1');
      const holder = globalThis as { [symbol]?: unknown };
      const before = holder[symbol];
      const url = await serve((_, response) => response.writeHead(200, STREAM).end('direct'));
      holder[symbol] = new ProxyAgent();
      try {
        const error = await reasonOf(fetch(url, POST));
        expect(String(error.cause ?? error)).toContain('the proxy is asleep');
      } finally {
        holder[symbol] = before;
      }
    });

    it('what is no post of a text', async () => {
      const url = await serve((request, response) => response.end(request.method));
      expect(await (await fetch(url)).text()).toBe('GET');
      expect(await (await fetch(new Request(url, POST))).text()).toBe('POST');
      const body = new Uint8Array([1]);
      expect(await (await fetch(url, { method: 'POST', body })).text()).toBe('POST');
    });
  });
});
