import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../src/model/model.js';
import { readEventStream } from '../../src/model/read-event-stream.js';

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
    for await (const event of readEventStream(body, (data) => ({ data }))) events.push(event);
    return { events, thrown: undefined };
  } catch (thrown) {
    return { events, thrown };
  }
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

  it.each([
    ['{"error":{"type":"overloaded_error"}}', { error: { type: 'overloaded_error' } }],
    ['not JSON', 'not JSON'],
  ])('throws for an error event: %s', async (data, told) => {
    expect(await read(`${wire(ONE)}event: error\ndata: ${data}\n\n${wire(TWO)}`)).toEqual({
      events: [ONE],
      thrown: { data: told },
    });
  });

  it('throws for data that is no JSON', async () => {
    const { thrown } = await read('event: one\ndata: {"type"\n\n');
    expect(thrown).toBeInstanceOf(SyntaxError);
  });

  it('looks through a long line once, not once for each piece', async () => {
    const long = { type: 'one', text: 'x'.repeat(4_000_000) };
    const { events } = await read(wire(long), 1_000);
    expect(events).toEqual([long]);
  });
});
