import { readdir } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMessageQueue } from '../../../../src/actors/sessions/messages/message-queue.js';
import { createFolder } from '../../../support/troupe.js';

type Value = {
  readonly id: number;
  readonly text?: string;
  readonly isPart?: true;
  readonly gap?: number;
};

const options = {
  isPartial: ({ isPart }: Value): boolean => isPart === true,
  toGap: (gap: number): Value => ({ id: -1, gap }),
};

async function readAll(queue: AsyncIterable<Value>): Promise<readonly Value[]> {
  const values: Value[] = [];
  for await (const value of queue) values.push(value);
  return values;
}

/** The heap without what is garbage already, of this test or of those before it. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('createMessageQueue', () => {
  it('keeps 100,000 values that nobody reads, in order, and hardly any of them in memory', async () => {
    const queue = createMessageQueue<Value>(options);
    const folder = await createFolder();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const textOf = (id: number): string => Buffer.alloc(1_000, 97 + (id % 26)).toString();
    const before = heldBytes();
    for (let id = 0; id < 100_000; id += 1) queue.push({ id, text: textOf(id) });
    const grownMb = (heldBytes() - before) / 2 ** 20;
    queue.end();
    expect(grownMb).toBeLessThan(20); // they are 100 MB
    let inOrder = 0;
    for await (const { id, text } of queue) if (id === inOrder && text === textOf(id)) inOrder += 1;
    expect(inOrder).toBe(100_000);
    expect(await readdir(folder)).toEqual([]);
  }, 30_000);

  it('leaves out parts while a thousand values wait, and says where and how many', async () => {
    const queue = createMessageQueue<Value>(options);
    for (let id = 0; id < 1_005; id += 1) queue.push({ id, isPart: true });
    queue.push({ id: 5_000 });
    for (let id = 0; id < 7; id += 1) queue.push({ id, isPart: true });
    queue.end();
    const values = await readAll(queue);
    expect(values.slice(0, 1_000)).toEqual(
      Array.from({ length: 1_000 }, (_, id) => ({ id, isPart: true })),
    );
    expect(values.slice(1_000)).toEqual([{ id: -1, gap: 5 }, { id: 5_000 }, { id: -1, gap: 7 }]);
  });

  it('hands on parts again when its reader has caught up', async () => {
    const queue = createMessageQueue<Value>(options);
    for (let id = 0; id < 1_001; id += 1) queue.push({ id, isPart: true });
    const reader = queue[Symbol.asyncIterator]();
    for (let read = 0; read < 1_000; read += 1) await reader.next();
    queue.push({ id: 2_000, isPart: true });
    expect(await reader.next()).toEqual({ done: false, value: { id: -1, gap: 1 } });
    expect(await reader.next()).toEqual({ done: false, value: { id: 2_000, isPart: true } });
  });

  it.each([1, 3, 499, 500, 501, 1_700])(
    'keeps the order if %d are written for each that is read',
    async (burst) => {
      const queue = createMessageQueue<Value>(options);
      const reader = queue[Symbol.asyncIterator]();
      const read: number[] = [];
      let id = 0;
      for (let turn = 0; turn < 8; turn += 1) {
        for (let count = 0; count < burst; count += 1) queue.push({ id: id++ });
        const { value } = await reader.next();
        if (value !== undefined) read.push(value.id);
      }
      queue.end();
      for (let next = await reader.next(); next.done !== true; next = await reader.next())
        read.push(next.value.id);
      expect(read).toEqual(Array.from({ length: id }, (_, index) => index));
    },
  );

  it('leaves none of two readers waiting when it ends', async () => {
    const queue = createMessageQueue<Value>(options);
    const [one, other] = [readAll(queue), readAll(queue)];
    await Promise.resolve(); // both wait
    queue.push({ id: 1 });
    queue.push({ id: 2 });
    queue.end();
    expect([...(await one), ...(await other)].map(({ id }) => id).toSorted()).toEqual([1, 2]);
  });

  it('wakes a reader that waits', async () => {
    const queue = createMessageQueue<Value>(options);
    const reader = queue[Symbol.asyncIterator]();
    const waiting = reader.next();
    queue.push({ id: 1 });
    expect(await waiting).toEqual({ done: false, value: { id: 1 } });
    const last = reader.next();
    queue.end();
    queue.push({ id: 2 });
    expect(await last).toEqual({ done: true, value: undefined });
  });
});
