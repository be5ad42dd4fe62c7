import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../src/model/model.js';
import { eventsOf } from '../../src/testing/fake-reply.js';
import { createPlace } from './support/place.js';

const TOTAL_BYTES = 500 * 1024 * 1024;
/** Without any of this the command needs about 90 MB. */
const MOST_MEMORY_KB = 220 * 1024;

/** Left by the command when it ends: the most memory that it has had. */
const REPORT = `import { readFileSync, writeFileSync } from 'node:fs';
if (process.argv[1]?.endsWith('main.js'))
  process.on('exit', () => {
    const [, kilobytes] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
    writeFileSync(process.env.MEMORY_FILE, kilobytes);
  });`;

const event = (data: ModelEvent): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const REPLY = eventsOf({ text: 'Done.' });
const START = REPLY.slice(0, 2).map(event).join('');
const WHOLE = REPLY.map(event).join('');
const DELTA = event({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'x'.repeat(10_000) },
});
const STREAM = { 'content-type': 'text/event-stream' };

/** 500 MB, as fast as they are read. */
async function* pieces(start: string, piece: string): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  const repeated = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  for (let bytes = 0; bytes < TOTAL_BYTES; bytes += repeated.length) yield repeated;
}

function send(response: ServerResponse, start: string, piece: string): void {
  pipeline(Readable.from(pieces(start, piece)), response, () => {});
}

const ANSWERS: readonly (readonly [
  name: string,
  ends: 'with an error' | 'retried' | 'taken',
  answer: (response: ServerResponse) => void,
])[] = [
  ['one event', 'retried', (to) => send(to.writeHead(200, STREAM), 'event: x\ndata: "', 'x')],
  [
    'one event of many lines',
    'retried',
    (to) => send(to.writeHead(200, STREAM), 'event: x\n', 'data: "x"\n'),
  ],
  ['one name of an event', 'retried', (to) => send(to.writeHead(200, STREAM), 'event: ', 'x')],
  ['pieces of a text', 'retried', (to) => send(to.writeHead(200, STREAM), START, DELTA)],
  [
    'one event, compressed',
    'retried',
    (to) => {
      to.writeHead(200, { ...STREAM, 'content-encoding': 'gzip' });
      pipeline(Readable.from(pieces('event: x\ndata: "', 'x')), createGzip(), to, () => {});
    },
  ],
  ['text behind the end', 'taken', (to) => send(to.writeHead(200, STREAM), WHOLE, DELTA)],
  ['the body of an error', 'with an error', (to) => send(to.writeHead(400), '', 'x')],
  [
    'the body of an error that is tried again',
    'retried',
    (to) => send(to.writeHead(500), '', 'x\n'),
  ],
  [
    'a web page',
    'with an error',
    (to) => send(to.writeHead(200, { 'content-type': 'text/html' }), '', '<p>\n'),
  ],
];

/** Without `TROUPE_DEEP` every third. */
const isDeep = process.env['TROUPE_DEEP'] !== undefined;
const RUN = ANSWERS.filter((_, index) => isDeep || index % 3 === 0);

describe('an endpoint that sends 500 MB', () => {
  it.for(RUN)('costs little memory: %s', async ([, ends, answer], { onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    let requests = 0;
    const server = createServer((incoming, response) => {
      incoming.resume();
      requests += 1;
      if (requests === 1) answer(response);
      else response.writeHead(200, STREAM).end(WHOLE);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo; // a TCP server that listens has one
    await place.write({ 'report.mjs': REPORT });
    const { code, stdout } = await place.run(['-p', 'go'], {
      env: {
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
        ANTHROPIC_API_KEY: 'test',
        NODE_OPTIONS: `--import=${place.at('report.mjs')}`,
        MEMORY_FILE: place.at('memory'),
      },
    });
    const isError = ends === 'with an error';
    expect({ code, stdout, requests }).toEqual({
      code: isError ? 1 : 0,
      stdout: isError ? '' : 'Done.\n',
      requests: ends === 'retried' ? 2 : 1,
    });
    expect(Number(await place.text('memory'))).toBeLessThan(MOST_MEMORY_KB);
  });
});
