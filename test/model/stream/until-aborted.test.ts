import { describe, expect, it } from 'vitest';
import { untilAborted } from '../../../src/model/stream/until-aborted.js';

const STOP = new Error('stop');

/** A stream of 1, 2, 3 that stalls before its event number `stallsAt`, and notes whether it was left. */
function createStream(stallsAt = Infinity) {
  const left: string[] = [];
  const stream: AsyncIterable<number> = {
    [Symbol.asyncIterator]() {
      let at = 0;
      return {
        next() {
          at += 1;
          if (at === stallsAt) return new Promise(() => {});
          return Promise.resolve(
            at > 3 ? { done: true, value: undefined } : { done: false, value: at },
          );
        },
        return() {
          left.push(`at ${at}`);
          return Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };
  return { stream, left };
}

async function readAll(
  opening: Parameters<typeof untilAborted<number>>[0],
  signal: AbortSignal,
  onEvent: (event: number) => void = () => {},
) {
  const read: number[] = [];
  try {
    for await (const event of untilAborted(opening, signal)) {
      read.push(event);
      onEvent(event);
    }
    return { read, ended: 'whole' };
  } catch (error) {
    return { read, ended: error };
  }
}

describe('untilAborted', () => {
  it.each(['the stream', 'a promise of it'])('hands out all events of %s', async (how) => {
    const { stream, left } = createStream();
    const opening = how === 'the stream' ? stream : Promise.resolve(stream);
    expect(await readAll(opening, new AbortController().signal)).toEqual({
      read: [1, 2, 3],
      ended: 'whole',
    });
    expect(left).toEqual([]);
  });

  it('rejects at once if the signal is aborted while a stream stalls, and leaves the stream', async () => {
    const { stream, left } = createStream(3);
    const controller = new AbortController();
    const reading = readAll(stream, controller.signal, (event) => {
      if (event === 2) setImmediate(() => controller.abort(STOP));
    });
    expect(await reading).toEqual({ read: [1, 2], ended: STOP });
    expect(left).toEqual(['at 3']);
  });

  it('rejects before the next event if the signal is aborted by the reader', async () => {
    const { stream, left } = createStream();
    const controller = new AbortController();
    const reading = readAll(stream, controller.signal, () => controller.abort(STOP));
    expect(await reading).toEqual({ read: [1], ended: STOP });
    expect(left).toHaveLength(1);
  });

  it('rejects at once if the signal is aborted while a stream is opened, or was before', async () => {
    const controller = new AbortController();
    const opening = readAll(new Promise(() => {}), controller.signal);
    controller.abort(STOP);
    expect(await opening).toEqual({ read: [], ended: STOP });
    expect(await readAll(createStream().stream, controller.signal)).toEqual({
      read: [],
      ended: STOP,
    });
  });

  it('leaves a stream that was opened too late', async () => {
    const { stream, left } = createStream();
    const controller = new AbortController();
    let open = (_: AsyncIterable<number>): void => {};
    const opening = readAll(new Promise((resolve) => (open = resolve)), controller.signal);
    controller.abort(STOP);
    await opening;
    open(stream);
    await new Promise((done) => setImmediate(done));
    expect(left).toEqual(['at 0']);
  });

  it('rejects with what the stream or its opening throws', async () => {
    const { signal } = new AbortController();
    expect(await readAll(Promise.reject(STOP), signal)).toEqual({ read: [], ended: STOP });
    const broken = (async function* () {
      yield 1;
      throw STOP;
    })();
    expect(await readAll(broken, signal)).toEqual({ read: [1], ended: STOP });
  });

  it('leaves the stream if the reader stops', async () => {
    const { stream, left } = createStream();
    for await (const event of untilAborted(stream, new AbortController().signal))
      if (event === 2) break;
    expect(left).toEqual(['at 2']);
  });

  it('leaves no listener behind', async () => {
    const counted = { listeners: 0 };
    const { signal } = new AbortController();
    const [add, remove] = [signal.addEventListener, signal.removeEventListener];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      counted.listeners += 1;
      add.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      counted.listeners -= 1;
      remove.apply(signal, args);
    };
    await readAll(createStream().stream, signal);
    expect(counted).toEqual({ listeners: 0 });
  });
});
