import { expect, it } from 'vitest';
import { lazily, once } from '../../src/core/lazily.js';

it('a lazy value is made on first use, once for all callers', async () => {
  let made = 0;
  const lazy = lazily(() => Promise.resolve((made += 1)));
  expect(lazy.current).toBeUndefined();
  expect(await Promise.all([lazy.get(), lazy.get()])).toEqual([1, 1]);
  expect(await lazy.current).toBe(1);
});

it('all callers of a try that fails get its error, and the next caller tries again', async () => {
  const tries = [Promise.reject(new Error('EMFILE')), Promise.resolve('made')];
  const lazy = lazily(() => tries.shift() ?? Promise.reject(new Error('no try is left')));
  const failed = await Promise.allSettled([lazy.get(), lazy.get()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(lazy.current).toBeUndefined();
  expect(await lazy.get()).toBe('made');
});

it('a value that is made at once is made on first use and kept, undefined too', () => {
  const made: string[] = [];
  const get = once(() => void made.push('made'));
  expect(made).toEqual([]);
  expect([get(), get()]).toEqual([undefined, undefined]);
  expect(made).toEqual(['made']);
});
