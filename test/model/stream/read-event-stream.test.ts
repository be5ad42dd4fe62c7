import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../src/model/model.js';
import { SentError } from '../../../src/model/stream/event-parser.js';
import { readEventStream } from '../../../src/model/stream/read-event-stream.js';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

/** The events of a stream that arrives in chunks of `size` bytes, and what was thrown in the end. */
async function read(text: string, size = 10_000) {
  const events: ModelEvent[] = [];
  try {
    const body = chunksOf(new TextEncoder().encode(text), size);
    for await (const event of readEventStream(body, Infinity, () => {})) events.push(event);
    return { events, thrown: undefined };
  } catch (thrown) {
    return { events, thrown };
  }
}

async function readToStop(body: AsyncIterable<Uint8Array>, hangUp: () => void): Promise<void> {
  for await (const event of readEventStream(body, Infinity, hangUp))
    if (event.type === 'message_stop') break;
}

const ONE = { type: 'one', text: 'zwölf \u{1f600}' };
const TWO = { type: 'two' };
const wire = (event: ModelEvent): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

describe('readEventStream', () => {
  const text = wire(ONE) + wire(TWO);
  it.each([
    ['\\n', text],
    ['\\r\\n', text.replaceAll('\n', '\r\n')],
    ['\\r', text.replaceAll('\n', '\r')],
  ])('gives the same events in whatever pieces they come, with %s', async (_, stream) => {
    const end = stream.endsWith('\r') ? ': the end\n' : ''; // it could be half of a \r\n
    for (let size = 1; size <= stream.length; size += 1)
      expect(await read(stream + end, size)).toEqual({ events: [ONE, TWO], thrown: undefined });
  });

  it('skips pings, comments, other fields, a byte order mark, and events without name or data', async () => {
    const noise =
      '\ufeff: hi\n\nevent: ping\ndata: {}\n\nid: 7\nretry: 1\ndata: {}\n\nevent: two\n\n\n';
    expect(await read(noise + wire(ONE))).toEqual({ events: [ONE], thrown: undefined });
  });

  it('takes fields without a blank, and data of several lines', async () => {
    expect(await read('event:two\ndata:{"type":\ndata:"two"}\n\n')).toEqual({
      events: [TWO],
      thrown: undefined,
    });
  });

  it('leaves out an event that was cut', async () => {
    expect(await read(wire(ONE) + 'event: two\ndata: {"type":"two"}\n')).toEqual({
      events: [ONE],
      thrown: undefined,
    });
  });

  const ERROR = 'event: error\ndata: ';
  it('throws for an error event', async () => {
    const data = { error: { type: 'overloaded_error' } };
    expect(await read(`${wire(ONE)}${ERROR}${JSON.stringify(data)}\n\n${wire(TWO)}`)).toEqual({
      events: [ONE],
      thrown: new SentError(data),
    });
  });

  it.each(['not JSON', '{}', 'null', '{"error":"odd"}', '{"error":{"message":"odd"}}'])(
    'calls an error event without a type a bad answer: %s',
    async (data) => {
      const { events, thrown } = await read(`${wire(ONE)}${ERROR}${data}\n\n${wire(TWO)}`);
      expect(events).toEqual([ONE]);
      expect(thrown).toMatchObject({ code: 'MODEL_BAD_ANSWER', retryable: true });
      expect((thrown as Error).message).toContain(`error does not say what went wrong: ${data}`);
    },
  );

  const deep = (depth: number): string =>
    `{"type":"one","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  it.each([
    ['is no JSON', '{"type"', 'is not JSON'],
    ['is no object', 'null', 'is not a JSON object'],
    ['is a list', '[{"type":"one"}]', 'is not a JSON object'],
    ['is nested deep', deep(500), 'is nested more than 500 deep'],
    ['is nested very deep', deep(200_000), 'is nested more than 500 deep'],
    ['is long', `{"type":"${'x'.repeat(4 * 1024 * 1024)}"}`, 'is longer than 4194304 characters'],
    ['is long over many lines', `{"type":"${'x'.repeat(99)}\ndata: `.repeat(50_000), 'is longer'],
  ])(
    'calls data that %s a bad answer, which may be better at another try',
    async (_, data, says) => {
      const { events, thrown } = await read(
        `${wire(ONE)}event: one\ndata: ${data}\n\n${wire(TWO)}`,
      );
      expect(events).toEqual([ONE]);
      expect(thrown).toMatchObject({ code: 'MODEL_BAD_ANSWER', retryable: true });
      expect((thrown as Error).message).toContain(says);
    },
  );

  it('takes data that is nested as deep as is allowed', async () => {
    const { events, thrown } = await read(`event: one\ndata: ${deep(499)}\n\n`);
    expect([events.length, thrown]).toEqual([1, undefined]);
  });

  it('stops at a line that never ends', async () => {
    let sent = 0;
    const endless = async function* () {
      for (;;) {
        await Promise.resolve();
        sent += 64 * 1024;
        yield new Uint8Array(64 * 1024).fill(120);
      }
    };
    const stream = readEventStream(endless(), Infinity, () => {});
    await expect(stream.next()).rejects.toMatchObject({ code: 'MODEL_BAD_ANSWER' });
    expect(sent).toBeLessThan(5 * 1024 * 1024);
  });

  it.each([
    ['blank lines', '\n'],
    ['comments', ':\n'],
    ['pings', 'event: ping\ndata: {}\n\n'],
    ['names', 'event: one\n\n'],
    ['data without a name', 'data: {}\n\n'],
  ])('stops at %s without end, though events came before', async (_, noise) => {
    const piece = new TextEncoder().encode(noise.repeat((64 * 1024) / noise.length));
    let sent = 0;
    const endless = async function* () {
      yield new TextEncoder().encode(wire(ONE));
      for (;;) {
        await Promise.resolve();
        sent += piece.length;
        yield piece;
      }
    };
    const stream = readEventStream(endless(), Infinity, () => {});
    expect(await stream.next()).toEqual({ value: ONE, done: false });
    await expect(stream.next()).rejects.toMatchObject({
      code: 'MODEL_BAD_ANSWER',
      retryable: true,
      message: expect.stringContaining('the stream has no event in 8388608 characters.') as string,
    });
    expect(sent).toBeLessThan(9 * 1024 * 1024);
  });

  it.each([
    ['short', 'x', 1],
    ['long', 'x', 10_000],
    ['misnamed', 'content_block_delta', 10],
  ])('stops at %s events of unknown types without end', async (_, name, length) => {
    const event = `event: ${name}\ndata: {"type":"${'x'.repeat(length)}"}\n\n`;
    const piece = new TextEncoder().encode(event.repeat(Math.ceil((64 * 1024) / event.length)));
    let sent = 0;
    const bomb = async function* () {
      while (sent < 4 * 1024 * 1024) {
        await Promise.resolve();
        sent += piece.length;
        yield piece;
      }
    };
    const types = new Set<string>();
    const reading = async (): Promise<void> => {
      for await (const { type } of readEventStream(bomb(), Infinity, () => {})) types.add(type);
    };
    await expect(reading()).rejects.toMatchObject({
      code: 'MODEL_BAD_ANSWER',
      retryable: true,
      message: expect.stringContaining(
        'the stream has more than 1048576 characters in events of unknown types.',
      ) as string,
    });
    expect([...types]).toEqual(['x'.repeat(length)]); // the first ones are passed on
    expect(sent).toBeLessThan(1.2 * 1024 * 1024);
  });

  it('takes events of the Messages API, however many', async () => {
    const delta = {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'a' },
    };
    const { events, thrown } = await read(wire(delta).repeat(20_000), 64 * 1024);
    expect([events.length, thrown]).toEqual([20_000, undefined]);
  });

  it('takes any noise between events, up to the most characters of the stream', async () => {
    const piece = new TextEncoder().encode('\n'.repeat(1024 * 1024) + wire(ONE));
    const endless = async function* () {
      for (;;) {
        await Promise.resolve();
        yield piece;
      }
    };
    const events: ModelEvent[] = [];
    const reading = async (): Promise<void> => {
      const stream = readEventStream(endless(), 12 * 1024 * 1024, () => {});
      for await (const event of stream) events.push(event);
    };
    await expect(reading()).rejects.toMatchObject({
      code: 'MODEL_BAD_ANSWER',
      message: expect.stringContaining('the stream is longer than 12582912 characters.') as string,
    });
    expect(events).toHaveLength(11);
  });

  it('reads the rest of a body behind the last event, so that the connection can be kept', async () => {
    const end = await new Promise((resolve) => {
      const body = async function* () {
        yield new TextEncoder().encode(wire({ type: 'message_stop' }) + wire(ONE));
        yield new TextEncoder().encode(wire(TWO));
        resolve('read to its end');
      };
      void readToStop(body(), () => resolve('hung up'));
    });
    expect(end).toBe('read to its end');
  });

  it('hangs up behind the last event if too much follows', async () => {
    const body = async function* () {
      yield new TextEncoder().encode(wire({ type: 'message_stop' }));
      for (;;) {
        await Promise.resolve();
        yield new Uint8Array(10_000);
      }
    };
    const end = await new Promise((resolve) => {
      void readToStop(body(), () => resolve('hung up'));
    });
    expect(end).toBe('hung up');
  });

  it('leaves a body whose reader leaves before the last event', async () => {
    let isLeft = false;
    const body = async function* () {
      try {
        for (;;) {
          await Promise.resolve();
          yield new TextEncoder().encode(wire(ONE));
        }
      } finally {
        isLeft = true;
      }
    };
    for await (const _ of readEventStream(body(), Infinity, () => {})) break;
    expect(isLeft).toBe(true);
  });

  it('looks through a long line once, not once for each piece', async () => {
    const long = { type: 'content_block_start', text: 'x'.repeat(4_000_000) };
    const { events } = await read(wire(long), 1_000);
    expect(events).toEqual([long]);
  });
});
