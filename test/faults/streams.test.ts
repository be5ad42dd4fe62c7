import { appendFile, readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createOrchestrator } from '../../src/api/orchestrator/orchestrator.js';
import { createAnthropicModel } from '../../src/model/anthropic/anthropic-model.js';
import type { ModelEvent } from '../../src/model/model.js';
import { findRequestProblem } from '../../src/testing/check-request.js';
import type { FakeRequestBody } from '../../src/testing/fake-messages-api.js';
import { eventsOf } from '../../src/testing/fake-reply.js';
import { buildTool } from '../../src/tools/build-tool.js';
import { createSimulatedTime, skipRetryWaits } from '../support/simulated-time.js';
import { ALLOW_ALL, createFolder } from '../support/troupe.js';

/** Leaves a line in a file each time it runs. */
const MarkTool = buildTool({
  name: 'Mark',
  inputSchema: z.object({ file: z.string() }),
  async call({ file }, { files: { cwd } }) {
    await appendFile(join(cwd, file), 'x\n');
    return { data: `marked ${file}` };
  },
});

const mark = (file: string) => ({ name: 'Mark', input: { file } });
const REPLY = { text: 'Marking.', tools: [mark('a'), mark('b')] };
const EVENTS = eventsOf(REPLY);
const LAST = EVENTS.length - 1;
/** The places of a bad event: before either tool use is whole, and when the first one is. */
const [EARLY, LATE] = [5, 7];

/** How often the tools of the two files ran, how many requests were made, and how it ended. */
type Expected = {
  readonly runs: readonly [a: number, b: number];
  readonly requests: number;
  readonly ended?: object;
};
const DONE = { status: 'completed', result: 'Done.' };
const RETRIED: Expected = { runs: [1, 1], requests: 3 };
const TAKEN: Expected = { runs: [1, 1], requests: 2 };
const KEPT: Expected = { runs: [1, 0], requests: 2 };
const FIRST_NOT_RUN: Expected = { runs: [0, 1], requests: 2 };
const failsWith = (code: string): Expected => ({
  runs: [0, 0],
  requests: 1,
  ended: { status: 'failed', failure: code },
});

type Answer = (response: ServerResponse) => void;
type Sent = string | ModelEvent;

const wire = (event: Sent): string =>
  typeof event === 'string' ? event : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const data = (value: unknown): string => `event: odd\ndata: ${JSON.stringify(value)}\n\n`;
const STREAM = { 'content-type': 'text/event-stream' };

function answer(body: string | Uint8Array, headers = {}, status = 200): Answer {
  return (response) => void response.writeHead(status, { ...STREAM, ...headers }).end(body);
}
function stream(...events: readonly Sent[]): Answer {
  return answer(events.map(wire).join(''));
}
/** The reply with events put in front of its event `at`. */
function withEvents(at: number, ...events: readonly Sent[]): Answer {
  return stream(...EVENTS.slice(0, at), ...events, ...EVENTS.slice(at));
}
function withChange(at: number, change: (event: ModelEvent) => Sent): Answer {
  return stream(...EVENTS.map((event, index) => (index === at ? change(event) : event)));
}
/** The reply with another text in place of one: an ID, an input. */
function rewritten(from: string, to: string): Answer {
  return stream(...EVENTS.map((event) => wire(event).replaceAll(from, to)));
}
function thenDestroyed(...events: readonly Sent[]): Answer {
  return (response) =>
    void response.writeHead(200, STREAM).write(events.map(wire).join(''), () => response.destroy());
}
function withStart(block: object | null | undefined): Answer {
  return withChange(4, (event) => ({ ...event, content_block: block }));
}
const withIndex = (index: unknown): Answer => withChange(5, (event) => ({ ...event, index }));
const withDelta = (delta: unknown): Answer => withChange(5, (event) => ({ ...event, delta }));
const withInput = (json: string): Answer =>
  withDelta({ type: 'input_json_delta', partial_json: json });
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const error = (type: string): string =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message: 'odd' } })}\n\n`;
const refusal = (status: number, body = '{}', headers = {}): Answer =>
  answer(body, { 'content-type': 'application/json', ...headers }, status);
const WHOLE = EVENTS.map(wire).join('');
const TEXT_START = { type: 'content_block_start', index: 9, content_block: { type: 'text' } };
const USE = EVENTS.slice(4, 7).map((event) =>
  wire({ ...event, index: 9 }).replaceAll('_0_0', '_9'),
);
const garbage = (name: string): Answer =>
  answer('no compression at all', { 'content-encoding': name });

const NOT_JSON = 'event: odd\ndata: {"type": "od\n\n';
/** Events that break a stream at any place. */
const BAD_EVENTS: readonly (readonly [name: string, event: Sent])[] = [
  ['data that is no JSON', NOT_JSON],
  ['null', data(null)],
  ['a list', data([1])],
  ['a text', data('text')],
  ['a number', data(7)],
  ['an object without a type', data({})],
  ['a type that is a number', data({ type: 7 })],
  ['an event nested 100,000 deep', `event: odd\ndata: {"type":"odd","x":${nested(100_000)}}\n\n`],
  ['an event of 5 MB', data({ type: 'odd', x: 'x'.repeat(5_000_000) })],
  ['message_start twice', EVENTS[0]!],
  ['the end of a block that is not open', { type: 'content_block_stop', index: 8 }],
  ['a delta of a block that is not open', { type: 'content_block_delta', index: 8, delta: {} }],
  ['a block a second time', EVENTS[1]!],
  ['a delta of a block that has ended', EVENTS[2]!],
  ['a block with a negative index', { ...TEXT_START, index: -1 }],
  ['a block with half an index', { ...TEXT_START, index: 1.5 }],
  ['a block with a huge index', { ...TEXT_START, index: 1e9 }],
  ['a block without an index', { ...TEXT_START, index: null }],
  ['a block that is null', { ...TEXT_START, content_block: null }],
  ['a message_delta without a delta', { type: 'message_delta' }],
  ['an error event: overloaded', error('overloaded_error')],
  ['an error event: the API failed', error('api_error')],
  ['an error event of a type that nobody knows', error('odd_error')],
  ['an error event that is no JSON', 'event: error\ndata: odd\n\n'],
  ['an error event nested 100,000 deep', `event: error\ndata: {"error":${nested(100_000)}}\n\n`],
  [
    'a reply longer than max_tokens allow',
    [
      TEXT_START,
      ...Array.from({ length: 8 }, () => ({
        type: 'content_block_delta',
        index: 9,
        delta: { type: 'text_delta', text: 'x'.repeat(3_000_000) },
      })),
    ]
      .map(wire)
      .join(''),
  ],
];

/** Events that have no meaning behind the end. */
const BEHIND: readonly (readonly [name: string, ...events: readonly Sent[]])[] = [
  ['message_stop again', EVENTS[LAST]!],
  ['a text', TEXT_START, { type: 'content_block_stop', index: 9 }],
  ['a tool use', ...USE],
  ['the whole reply again', ...EVENTS],
  ['data that is no JSON', NOT_JSON],
  ['null', data(null)],
  ['an error event', error('overloaded_error')],
  ['an event of 5 MB', data({ type: 'odd', x: 'x'.repeat(5_000_000) })],
];

const ANSWERS: readonly (readonly [name: string, expected: Expected, answer: Answer])[] = [
  ...BAD_EVENTS.map(
    ([name, event]) => [`${name}, early`, RETRIED, withEvents(EARLY, event)] as const,
  ),
  ...BAD_EVENTS.map(([name, event]) => [`${name}, late`, KEPT, withEvents(LATE, event)] as const),
  ...BEHIND.map(
    ([name, ...events]) =>
      [`behind the end: ${name}`, TAKEN, stream(...EVENTS, ...events)] as const,
  ),
  ['behind the end: a reset', TAKEN, thenDestroyed(...EVENTS)],
  [
    'behind the end: nothing, for ever',
    TAKEN,
    (response) => void response.writeHead(200, STREAM).write(WHOLE),
  ],
  ['the end of the message while a block is open', RETRIED, withEvents(EARLY, EVENTS[LAST]!)],
  ['a delta before message_start', RETRIED, withEvents(0, EVENTS[5]!)],
  ['no message_start', RETRIED, stream(...EVENTS.slice(1))],
  ['message_start without a message', RETRIED, withChange(0, ({ type }) => ({ type }))],
  ['no message_stop', { ...TAKEN, requests: 2 }, stream(...EVENTS.slice(0, -1))],
  ['no message_delta', TAKEN, stream(...EVENTS.slice(0, -2), EVENTS[LAST]!)],
  ['a use without a name', RETRIED, withStart({ type: 'tool_use', id: 'toolu_1', input: {} })],
  ['a block without a type', RETRIED, withStart({})],
  ['a delta that is null', RETRIED, withDelta(null)],
  ['an input that is a number', RETRIED, withDelta({ type: 'input_json_delta', partial_json: 7 })],
  ['a delta with a negative index', RETRIED, withIndex(-1)],
  ['a delta with a text for an index', RETRIED, withIndex('1')],
  ['an empty body', RETRIED, answer('')],
  ['pings only', RETRIED, answer('event: ping\ndata: {}\n\n'.repeat(100))],
  ['a stream cut before the first tool use', RETRIED, thenDestroyed(...EVENTS.slice(0, EARLY))],
  ['a stream cut behind the first tool use', KEPT, thenDestroyed(...EVENTS.slice(0, LATE))],
  [
    'a stream that ends in an event',
    RETRIED,
    answer(WHOLE.slice(0, WHOLE.indexOf('partial_json'))),
  ],
  ['no body', RETRIED, answer('', {}, 204)],
  ['a reset before the answer', RETRIED, (response) => void response.destroy()],
  [
    'a reset behind the headers',
    RETRIED,
    (response) => {
      response.writeHead(200, STREAM).flushHeaders();
      setImmediate(() => response.destroy());
    },
  ],
  ['no HTTP', RETRIED, ({ socket }) => void socket?.end('SSH-2.0\r\n')],
  [
    'a broken chunk',
    RETRIED,
    ({ socket }) =>
      void socket?.end(
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      ),
  ],
  ...['gzip', 'deflate', 'br', 'gzip, br'].map(
    (name) => [`garbage as ${name}`, RETRIED, garbage(name)] as const,
  ),
  ['gzip, cut', RETRIED, answer(gzipSync(WHOLE).subarray(0, 40), { 'content-encoding': 'gzip' })],
  [
    'gzip with a wrong bit',
    RETRIED,
    answer(gzipSync(WHOLE).fill(255, 30, 60), { 'content-encoding': 'gzip' }),
  ],
  ['gzip', TAKEN, answer(gzipSync(WHOLE), { 'content-encoding': 'gzip' })],
  ['brotli', TAKEN, answer(brotliCompressSync(WHOLE), { 'content-encoding': 'br' })],
  ...[408, 409, 429, 500, 502, 503, 529].map(
    (status) => [`status ${status}`, RETRIED, refusal(status)] as const,
  ),
  [
    'status 500 with a page of 5 MB',
    RETRIED,
    refusal(500, '<p>'.repeat(1_700_000), { 'content-type': 'text/html' }),
  ],
  ['status 400', failsWith('MODEL_BAD_REQUEST'), refusal(400)],
  [
    'status 400 with JSON nested 100,000 deep',
    failsWith('MODEL_BAD_REQUEST'),
    refusal(400, `{"error":${nested(100_000)}}`),
  ],
  ['status 401', failsWith('MODEL_AUTH_REFUSED'), refusal(401)],
  ['status 404', failsWith('MODEL_NOT_FOUND'), refusal(404)],
  [
    'a web page',
    failsWith('MODEL_NOT_A_STREAM'),
    answer('<html>', { 'content-type': 'text/html' }),
  ],
  ['JSON', failsWith('MODEL_NOT_A_STREAM'), answer('{}', { 'content-type': 'application/json' })],
  ['an encoding that nobody knows', failsWith('MODEL_ERROR'), garbage('zzz')],
  [
    'pings, comments, unknown fields and events',
    TAKEN,
    withEvents(
      EARLY,
      ': hi\n\n',
      'event: ping\ndata: {}\n\n',
      'id: 7\nretry: 1\n\n',
      data({ type: 'news' }),
    ),
  ],
  [
    'a block of a type that nobody knows',
    TAKEN,
    withEvents(
      1,
      { type: 'content_block_start', index: 9, content_block: { type: 'news', x: 1 } },
      { type: 'content_block_delta', index: 9, delta: { type: 'news_delta' } },
      { type: 'content_block_stop', index: 9 },
    ),
  ],
  ['\\r\\n', TAKEN, answer(WHOLE.replaceAll('\n', '\r\n'))],
  ['a byte order mark', TAKEN, answer(`\ufeff${WHOLE}`)],
  ['no blanks behind colons', TAKEN, answer(WHOLE.replaceAll(/^(\w+): /gm, '$1:'))],
  ['no content type', TAKEN, (response) => void response.writeHead(200).end(WHOLE)],
  ['counts that are invalid', TAKEN, rewritten('"output_tokens":1', '"output_tokens":-1e999')],
  [
    'a stop reason that nobody knows',
    TAKEN,
    rewritten('"stop_reason":"tool_use"', '"stop_reason":"odd"'),
  ],
  ['an empty id', TAKEN, rewritten('toolu_fake_0_0', '')],
  ['no id', TAKEN, withStart({ type: 'tool_use', name: 'Mark', input: {} })],
  ['an id with a NUL and a slash', TAKEN, rewritten('toolu_fake_0_0', '../\\u0000')],
  ['an id of 65 characters', TAKEN, rewritten('toolu_fake_0_0', 'x'.repeat(65))],
  ['an id of a megabyte', TAKEN, rewritten('toolu_fake_0_0', 'x'.repeat(1_000_000))],
  ['the same id twice', TAKEN, rewritten('toolu_fake_0_1', 'toolu_fake_0_0')],
  ['an id that another would be replaced by', TAKEN, rewritten('toolu_fake_0_0', 'toolu_1_1')],
  ['__proto__ as an id', TAKEN, rewritten('toolu_fake_0_0', '__proto__')],
  [
    'a name that is empty',
    FIRST_NOT_RUN,
    withStart({ type: 'tool_use', id: 'toolu_1', name: '', input: {} }),
  ],
  [
    'a name with odd characters',
    FIRST_NOT_RUN,
    withStart({ type: 'tool_use', id: 'toolu_1', name: 'Mark\0 /', input: {} }),
  ],
  [
    'a name of 100,000 characters',
    FIRST_NOT_RUN,
    withStart({ type: 'tool_use', id: 'toolu_1', name: 'M'.repeat(100_000), input: {} }),
  ],
  ['an input that is no JSON', FIRST_NOT_RUN, withInput('{"file": "a"')],
  ['an input that is a list', FIRST_NOT_RUN, withInput('["a"]')],
  ['an input nested 5,000 deep', FIRST_NOT_RUN, withInput(`{"file":"a","x":${nested(5_000)}}`)],
  ['an input nested 200,000 deep', FIRST_NOT_RUN, withInput(`{"file":"a","x":${nested(200_000)}}`)],
  [
    'a started input nested 400 deep, twice that in the event',
    TAKEN,
    withEvents(1, `event: odd\ndata: {"type":"odd","x":${nested(400)}}\n\n`),
  ],
];

/** In the order of the table, each of the tenth first. */
const RUN =
  process.env['TROUPE_DEEP'] === undefined
    ? ANSWERS.filter((_, index) => index % 10 === 3)
    : ANSWERS;

describe('an answer of the model', () => {
  it.each(RUN)('loses nothing and runs nothing twice: %s', async (_, expected, first) => {
    const api = await serve(first);
    const folder = await createFolder();
    const time = createSimulatedTime();
    const troupe = createOrchestrator({
      cwd: folder,
      home: join(folder, 'home'),
      model: createAnthropicModel({ baseURL: api.url, apiKey: 'test' }),
      tools: [MarkTool],
      permissions: ALLOW_ALL,
      clock: time.clock,
      now: time.now,
    });
    onTestFinished(() => troupe.close());
    const session = troupe.session({ prompt: 'Go.' });
    skipRetryWaits(session, time);
    const outcome = await session.outcome;
    const runs = await Promise.all(
      ['a', 'b'].map((name) =>
        readFile(join(folder, name), 'utf8').then(
          (text) => text.length / 2,
          () => 0,
        ),
      ),
    );
    expect(api.problems).toEqual([]);
    const ended =
      outcome.status === 'failed' ? { ...outcome, failure: outcome.failure.code } : outcome;
    expect({ runs, requests: api.requests.length, ended }).toEqual({ ended: DONE, ...expected });
  });
});

/** Answers the first request with `first`, later ones as they should be; closed when the test ends. */
async function serve(first: Answer) {
  const requests: FakeRequestBody[] = [];
  const problems: string[] = [];
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as FakeRequestBody; // the strict check follows
      const problem = findRequestProblem(body) ?? findPrefixProblem(requests.at(-1), body);
      if (problem !== undefined) problems.push(problem);
      requests.push(body);
      if (requests.length === 1) first(response);
      else if (body.messages.length === 1) stream(...EVENTS)(response);
      else stream(...eventsOf({ text: 'Done.' }))(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  return { url: `http://127.0.0.1:${port}`, requests, problems };
}

/** Each request extends the one before it. */
function findPrefixProblem(before: FakeRequestBody | undefined, body: FakeRequestBody) {
  const textOf = ({ messages }: FakeRequestBody): readonly string[] =>
    messages.map((message) =>
      JSON.stringify(message).replaceAll(/,"cache_control":\{[^}]*\}/g, ''),
    );
  const sent = textOf(body);
  return before === undefined || textOf(before).every((text, index) => text === sent[index])
    ? undefined
    : 'the request does not extend the one before it';
}
