import { describe, expect, it } from 'vitest';
import { readUntilAborted } from '../../../src/model/stream/until-aborted.js';

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
  opening: Parameters<typeof readUntilAborted<number>>[0],
  signal: AbortSignal,
  onEvent: (event: number) => boolean | Promise<boolean> = () => true,
) {
  const read: number[] = [];
  try {
    const hasEnded = await readUntilAborted(opening, signal, (event) => {
      read.push(event);
      return onEvent(event);
    });
    return { read, ended: hasEnded ? 'whole' : 'left' };
  } catch (error) {
    return { read, ended: error };
  }
}

describe('readUntilAborted', () => {
  it.each(['the stream', 'a promise of it'])('hands out all events of %s', async (how) => {
    const { stream, left } = createStream();
    const opening = how === 'the stream' ? stream : Promise.resolve(stream);
    expect(await readAll(opening, new AbortController().signal)).toEqual({
      read: [1, 2, 3],
      ended: 'whole',
    });
    expect(left).toEqual([]);
  });

  it('takes the events that have come without asking the iterator for them', async () => {
    const { stream } = createStream(1); // a stream that never answers
    const ready = [1, 2, 3];
    const events = Object.assign(stream, { takeReady: () => ready.shift() });
    expect(await readAll(events, new AbortController().signal, (event) => event < 3)).toEqual({
      read: [1, 2, 3],
      ended: 'left',
    });
  });

  it('rejects at once if the signal is aborted while a stream stalls, and leaves the stream', async () => {
    const { stream, left } = createStream(3);
    const controller = new AbortController();
    const reading = readAll(stream, controller.signal, (event) => {
      if (event === 2) setImmediate(() => controller.abort(STOP));
      return true;
    });
    expect(await reading).toEqual({ read: [1, 2], ended: STOP });
    expect(left).toEqual(['at 3']);
  });

  it('rejects before the next event if the signal is aborted by the reader', async () => {
    const { stream, left } = createStream();
    const controller = new AbortController();
    const reading = readAll(stream, controller.signal, () => {
      controller.abort(STOP);
      return true;
    });
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

  it('leaves the stream if the reader wants no more, or fails', async () => {
    const { stream, left } = createStream();
    const { signal } = new AbortController();
    const untilSecond = await readAll(stream, signal, (event) => event < 2);
    expect(untilSecond).toEqual({ read: [1, 2], ended: 'left' });
    const failed = await readAll(stream, signal, () => Promise.reject(STOP));
    expect(failed).toEqual({ read: [1], ended: STOP });
    expect(left).toEqual(['at 2', 'at 1']);
  });

  it('lets the reader finish its event before it rejects', async () => {
    const { stream, left } = createStream();
    const controller = new AbortController();
    let finish = (_: boolean): void => {};
    const reading = readAll(
      stream,
      controller.signal,
      () => new Promise((resolve) => (finish = resolve)),
    );
    await new Promise((done) => setImmediate(done));
    controller.abort(STOP);
    await new Promise((done) => setImmediate(done));
    expect(left).toEqual([]);
    finish(true);
    expect(await reading).toEqual({ read: [1], ended: STOP });
    expect(left).toEqual(['at 1']);
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
