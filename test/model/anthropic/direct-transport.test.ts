import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createDirectTransport,
  type DirectAnswer,
  type DirectTransportOptions,
} from '../../../src/model/anthropic/direct-transport.js';
import { SentError } from '../../../src/model/stream/event-parser.js';
import type { ModelEvent } from '../../../src/model/model.js';
import { createGate } from '../../support/gate.js';

const BODY = '{"hello":"world"}';
const STREAM = { 'content-type': 'text/event-stream' };
const fixture = (name: string): string => join(import.meta.dirname, '../../fixtures/tls', name);

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
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
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const ONE = { type: 'one', text: 'zwölf \u{1f600}' };
const TWO = { type: 'two' };
const STOP = { type: 'message_stop' };
const wire = (event: ModelEvent): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const connect = (url: string, options: Partial<DirectTransportOptions> = {}) => {
  const post = createDirectTransport({
    url: new URL(url),
    headers: { 'x-api-key': 'k' },
    timeoutMs: 5_000,
    ...options,
  });
  return (signal = new AbortController().signal, onActivity = (): void => {}) =>
    post([Buffer.from(BODY)], {
      signal,
      mostChars: 64 * 1024 * 1024,
      onActivity,
      toThrown: (failure) => Promise.resolve(failure),
    });
};

function eventsOf(answer: DirectAnswer): AsyncIterable<ModelEvent> {
  if (answer.kind !== 'stream') throw new Error(`It is ${answer.kind}.`);
  return answer.events;
}

async function readAll(answer: DirectAnswer): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of eventsOf(answer)) events.push(event);
  return events;
}

const reasonOf = (promise: Promise<unknown>): Promise<NodeJS.ErrnoException> =>
  promise.then(
    () => expect.fail('It was expected to reject.'),
    (reason: unknown) => reason as NodeJS.ErrnoException, // of node:http
  );

describe('the direct transport', () => {
  it('posts a text with its headers and gives the events of the answer', async () => {
    let seen: unknown;
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      const { 'x-api-key': key, 'content-length': length, host } = request.headers;
      seen = { method: request.method, url: request.url, key, length, host, body };
      response.writeHead(200, STREAM);
      response.write(wire(ONE));
      response.end(wire(TWO));
    });
    expect(await readAll(await connect(`${url}/v1/messages`)())).toEqual([ONE, TWO]);
    expect(seen).toEqual({
      method: 'POST',
      url: '/v1/messages',
      key: 'k',
      length: '17',
      host: new URL(url).host,
      body: BODY,
    });
  });

  it('keeps the connection for the next request, also if a reader leaves at message_stop', async () => {
    const ports = new Set<number | undefined>();
    let goOn = (): void => {};
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, STREAM).write(wire(STOP));
      goOn = () => response.end(wire(ONE));
    });
    const post = connect(url);
    for (let count = 0; count < 5; count += 1) {
      const { signal } = new AbortController();
      const isOver = vi.spyOn(signal, 'removeEventListener');
      for await (const _ of eventsOf(await post(signal))) break;
      goOn();
      await vi.waitFor(() => expect(isOver).toHaveBeenCalled(), { interval: 1 });
    }
    expect(ports.size).toBe(1);
  });

  it('closes a kept connection that no request has used for a while', async () => {
    const closed = createGate();
    const url = await serve((request, response) => {
      request.socket.once('close', () => closed.open());
      response.writeHead(200, STREAM).end(wire(ONE));
    });
    expect(await readAll(await connect(url, { keptMs: 10 })())).toEqual([ONE]);
    await closed.opened;
  });

  it('hangs up behind message_stop if too much follows', async () => {
    let closed: Promise<void> | undefined;
    const url = await serve((request, response) => {
      closed = new Promise((resolve) => request.socket.once('close', () => resolve()));
      response.writeHead(200, STREAM).write(wire(STOP));
      response.write('x'.repeat(200_000));
    });
    for await (const _ of eventsOf(await connect(url)())) break;
    await expect(closed).resolves.toBeUndefined();
  });

  it('sends again on a new connection if the server had closed the kept one', async () => {
    const whole = `${HEAD}${chunk(wire(ONE))}0\r\n\r\n`;
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
    const post = connect(url);
    expect(await readAll(await post())).toEqual([ONE]);
    expect(await readAll(await post())).toEqual([ONE]);
    expect(requests).toHaveLength(3);
  });

  it('rejects if a new connection is reset: nobody knows what became of the request', async () => {
    let count = 0;
    const reset = (socket: Socket): void =>
      void socket.on('data', () => {
        count += 1;
        socket.resetAndDestroy();
      });
    const url = await serveBytes(reset, reset);
    expect(await reasonOf(connect(url)())).toMatchObject({ code: 'ECONNRESET' });
    expect(count).toBe(1);
  });

  it('rejects with the reason if nobody listens', async () => {
    const url = await serveBytes();
    await closing.pop()?.();
    expect(await reasonOf(connect(url)())).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([301, 302, 303, 307, 308])('leaves the redirect %i to others', async (status) => {
    const url = await serve((_, response) =>
      response.writeHead(status, { location: '/there' }).end(),
    );
    expect(await connect(url)()).toEqual({ kind: 'redirected' });
  });

  it('gives what refuses as it came, at most 64 KB of it', async () => {
    const url = await serve((_, response) =>
      response.writeHead(429, { 'retry-after': '7' }).end('x'.repeat(200_000)),
    );
    expect(await connect(url)()).toMatchObject({
      kind: 'refused',
      answer: { statusCode: 429, headers: { 'retry-after': '7' } },
      body: Buffer.from('x'.repeat(64 * 1024)),
    });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('reads a stream that comes as %s though nobody asked', async (name, compress) => {
    let asked: unknown;
    const url = await serve((request, response) => {
      asked = request.headers['accept-encoding'];
      response.writeHead(200, { ...STREAM, 'content-encoding': name }).end(compress(wire(ONE)));
    });
    expect(await readAll(await connect(url)())).toEqual([ONE]);
    expect(asked).toBe('identity');
  });

  it('hangs up on blank lines without end, and decompresses no more of them', async () => {
    const blankLines = gzipSync('\n'.repeat(1024 * 1024));
    let closed: Promise<void> | undefined;
    const url = await serve((request, response) => {
      closed = new Promise((resolve) => request.socket.once('close', () => resolve()));
      response.writeHead(200, { ...STREAM, 'content-encoding': 'gzip' });
      response.end(Buffer.concat(Array<Buffer>(300).fill(blankLines)));
    });
    const posted = await connect(url)();
    const error = await reasonOf(readAll(posted));
    expect(error.message).toContain('the stream has no event in 8388608 characters.');
    await closed;
  });

  it('decompresses no more of an error than the part that it keeps', async () => {
    const bomb = gzipSync('x'.repeat(2_000_000));
    const url = await serve((_, response) =>
      response.writeHead(400, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const answer = await connect(url)();
    const body = answer.kind === 'refused' ? answer.body : Buffer.alloc(0);
    expect(body.equals(Buffer.from('x'.repeat(64 * 1024)))).toBe(true);
    expect(body.buffer.byteLength).toBeLessThan(128 * 1024); // what was decompressed
  });

  it('refuses an encoding that nobody knows', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { ...STREAM, 'content-encoding': 'zzz' }).end('?'),
    );
    const error = await reasonOf(connect(url)().then(readAll));
    expect(error.message).toBe('The answer is encoded as zzz, which Troupe did not ask for.');
  });

  it('hands on each event when it comes, and reports each piece', async () => {
    let goOn = (): void => {};
    let pieces = 0;
    const url = await serve((_, response) => {
      response.writeHead(200, { ...STREAM, 'content-encoding': 'identity' });
      response.write(wire(ONE));
      goOn = () => response.end(`event: ping\ndata: {}\n\n${wire(TWO)}`);
    });
    const answer = await connect(url)(undefined, () => (pieces += 1));
    const seen: unknown[] = [];
    for await (const event of eventsOf(answer)) {
      seen.push([event, pieces]);
      goOn();
    }
    expect(seen).toEqual([
      [ONE, 1],
      [TWO, 2],
    ]);
  });

  it('makes a server wait for a slow reader, who gets everything', async () => {
    const event = wire({ type: 'content_block_delta', text: 'x'.repeat(64 * 1024) });
    const url = await serve((_, response) => {
      response.writeHead(200, STREAM);
      for (let index = 0; index < 300; index += 1) response.write(event);
      response.end(wire(STOP));
    });
    let arrived = 0;
    const answer = await connect(url)(undefined, () => (arrived += 1));
    const arrivedAtEvent: number[] = [];
    for await (const _ of eventsOf(answer)) {
      for (let tick = 0; tick < 5; tick += 1) await new Promise((resolve) => setImmediate(resolve));
      arrivedAtEvent.push(arrived);
    }
    const { length } = arrivedAtEvent;
    expect(length).toBe(301);
    const ahead = arrivedAtEvent.map((pieces, index) => pieces / arrived - (index + 1) / length);
    expect(Math.max(...ahead)).toBeLessThan(0.25); // of the whole answer
  });

  it('rejects at an abort before the answer, and hangs up', async () => {
    const controller = new AbortController();
    let closed: Promise<void> | undefined;
    const url = await serve((request) => {
      closed = new Promise((resolve) => request.socket.once('close', () => resolve()));
      controller.abort();
    });
    const post = connect(url);
    expect((await reasonOf(post(controller.signal))).name).toBe('AbortError');
    await closed;
    expect((await reasonOf(post(controller.signal))).name).toBe('AbortError');
  });

  it('ends a stream at an abort without what is unread, and hangs up', async () => {
    const controller = new AbortController();
    let closed: Promise<void> | undefined;
    const url = await serve((request, response) => {
      closed = new Promise((resolve) => request.socket.once('close', () => resolve()));
      response.writeHead(200, STREAM).write(wire(ONE) + wire(TWO));
    });
    const seen: ModelEvent[] = [];
    for await (const event of eventsOf(await connect(url)(controller.signal))) {
      seen.push(event);
      controller.abort();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(seen).toEqual([ONE]);
    await closed;
  });

  it('hangs up if a reader leaves before message_stop', async () => {
    let closed: Promise<void> | undefined;
    const url = await serve((request, response) => {
      closed = new Promise((resolve) => request.socket.once('close', () => resolve()));
      response.writeHead(200, STREAM).write(wire(ONE));
    });
    for await (const _ of eventsOf(await connect(url)())) break;
    await expect(closed).resolves.toBeUndefined();
  });

  it('answers reads that wait at the same time in their order, and ends them all', async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, STREAM).end(wire(ONE) + wire(TWO)),
    );
    const events = eventsOf(await connect(url)())[Symbol.asyncIterator]();
    const results = await Promise.all([events.next(), events.next(), events.next()]);
    expect(results.map(({ value }) => value as unknown)).toEqual([ONE, TWO, undefined]);
  });

  it('leaves no listener on a signal that many requests share', async () => {
    const url = await serve((_, response) => response.writeHead(200, STREAM).end(wire(ONE)));
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    const added = vi.spyOn(signal, 'addEventListener');
    const post = connect(url);
    for (let count = 0; count < 3; count += 1) await readAll(await post(signal));
    await vi.waitFor(() => expect(removed.mock.calls.length).toBe(added.mock.calls.length));
    expect(added).toHaveBeenCalledTimes(3);
  });

  it.each([
    ['cut in a chunk', `${HEAD}ff\r\n${wire(TWO)}`, 'end'],
    ['reset in a chunk', `${HEAD}ff\r\n${wire(TWO)}`, 'reset'],
    ['that breaks the rules', `${HEAD}${chunk(wire(TWO))}nonsense\r\n`, 'stay'],
  ] as const)('gives what came of a stream %s, then throws', async (_, bytes, then) => {
    const url = await serveBytes((socket) =>
      socket.once('data', () =>
        socket.write(bytes, () => {
          if (then === 'end') socket.end();
          else if (then === 'reset') setImmediate(() => socket.resetAndDestroy());
        }),
      ),
    );
    const events = eventsOf(await connect(url)())[Symbol.asyncIterator]();
    expect(await events.next()).toEqual({ value: TWO, done: false });
    expect((await reasonOf(events.next())).code).toBe('ECONNRESET');
    expect(await events.next()).toEqual({ value: undefined, done: true });
  });

  it('throws the error that an error event becomes, behind the events before it', async () => {
    const data = { error: { type: 'overloaded_error' } };
    const url = await serve((_, response) =>
      response
        .writeHead(200, STREAM)
        .write(`${wire(ONE)}event: error\ndata: ${JSON.stringify(data)}\n\n${wire(TWO)}`),
    );
    const events = eventsOf(await connect(url)())[Symbol.asyncIterator]();
    expect(await events.next()).toEqual({ value: ONE, done: false });
    expect(await reasonOf(events.next())).toEqual(new SentError(data));
  });

  it('rejects an answer that is no HTTP', async () => {
    const url = await serveBytes((socket) => socket.once('data', () => socket.end('SSH-2.0\r\n')));
    expect((await reasonOf(connect(url)())).code).toMatch(/^HPE_/);
  });

  it('rejects an answer that switches to another protocol', async () => {
    const switches = 'HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n';
    const url = await serveBytes((socket) => socket.once('data', () => socket.write(switches)));
    expect((await reasonOf(connect(url)())).message).toBe(
      'The connection was closed before an answer.',
    );
  });

  it.each(['before its answer', 'in mid-stream'])(
    'gives up an endpoint silent %s',
    async (when) => {
      const url = await serve((_, response) => {
        if (when === 'in mid-stream') response.writeHead(200, STREAM).write(wire(ONE));
      });
      const error = await reasonOf(connect(url, { idleMs: 30 })().then(readAll));
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
        response.writeHead(200, STREAM).end(wire(TWO)),
      );
      return `https://${await listen(server)}`;
    };

    it('refuses a certificate that nobody vouches for', async () => {
      const error = await reasonOf(connect(await serveTls())());
      expect(error.code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    });

    it('trusts what NODE_EXTRA_CA_CERTS names', async () => {
      const url = await serveTls();
      const module = join(
        import.meta.dirname,
        '../../../.build/modules/model/anthropic/direct-transport.js',
      );
      const program = `
        const { createDirectTransport } = await import(${JSON.stringify(module)});
        const post = createDirectTransport({ url: new URL('${url}'), headers: {}, timeoutMs: 5000 });
        for (let count = 0; count < 2; count += 1) {
          const { events } = await post([Buffer.from('{}')], { signal: new AbortController().signal });
          for await (const event of events) process.stdout.write(event.type);
        }`;
      const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: fixture('certificate.pem') },
      });
      expect((await run).stdout).toBe('twotwo'); // and a kept connection holds no process back
    });
  });
});
