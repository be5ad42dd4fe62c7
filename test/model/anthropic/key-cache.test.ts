import { describe, expect, it } from 'vitest';
import { createKeyCache, keyTtlMs } from '../../../src/model/anthropic/key-cache.js';
import { ModelKeyHelperError } from '../../../src/model/errors/model-key-helper-error.js';

const { signal } = new AbortController();

/** A helper whose first key is `key-1`; its clock stands still until it is moved. */
function createWorld(print?: (run: number, aborted: AbortSignal) => Promise<string>) {
  let runs = 0;
  let time = 0;
  let ttlMs = 1_000;
  const keys = createKeyCache(
    async (aborted) => {
      runs += 1;
      return (await print?.(runs, aborted)) ?? `key-${runs}\n`;
    },
    () => ttlMs,
    () => time,
  );
  return {
    keys,
    runs: () => runs,
    pass: (ms: number) => void (time += ms),
    hold: (ms: number) => void (ttlMs = ms),
  };
}

describe('the key of a helper', () => {
  it('is what it prints, trimmed, and holds until its time is over', async () => {
    const { keys, pass, runs } = createWorld();
    expect(runs()).toBe(0);
    expect(await keys.get(signal)).toBe('key-1');
    pass(999);
    expect(await keys.get(signal)).toBe('key-1');
    pass(1);
    expect(await keys.get(signal)).toBe('key-2');
  });

  it('holds as long as its time is at present', async () => {
    const { keys, pass, hold } = createWorld();
    expect(await keys.get(signal)).toBe('key-1');
    pass(1_500);
    hold(2_000);
    expect(await keys.get(signal)).toBe('key-1');
    hold(100);
    expect(await keys.get(signal)).toBe('key-2');
  });

  it('is another one as soon as the command is another one', async () => {
    let command = 'one';
    const print = Object.defineProperty(async () => command, 'command', { get: () => command });
    const keys = createKeyCache(
      print,
      () => 1_000,
      () => 0,
    );
    expect(await keys.get(signal)).toBe('one');
    command = 'two';
    expect(await keys.get(signal)).toBe('two');
  });

  it('is asked for once by many at the same time', async () => {
    const { keys, runs } = createWorld();
    expect(await Promise.all([keys.get(signal), keys.get(signal)])).toEqual(['key-1', 'key-1']);
    expect(runs()).toBe(1);
  });

  it('is another one after a refusal; a refusal of an older one changes nothing', async () => {
    const { keys } = createWorld();
    const first = await keys.get(signal);
    keys.drop(first);
    expect(await keys.get(signal)).toBe('key-2');
    keys.drop(first);
    expect(await keys.get(signal)).toBe('key-2');
  });

  it('is asked for again after a failure, and all who waited get that failure', async () => {
    const { keys, runs } = createWorld((run) =>
      run === 1
        ? Promise.reject(new ModelKeyHelperError('it exited with 1'))
        : Promise.resolve('k'),
    );
    const told = await Promise.allSettled([keys.get(signal), keys.get(signal)]);
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await keys.get(signal)).toBe('k');
    expect(runs()).toBe(2);
  });

  it('is asked for again by those who waited for a helper that was ended with its caller', async () => {
    const leaving = new AbortController();
    const { keys, runs } = createWorld((run, aborted) =>
      run === 1
        ? new Promise((_, reject) =>
            aborted.addEventListener('abort', () => reject(new Error('aborted'))),
          )
        : Promise.resolve('k'),
    );
    const first = keys.get(leaving.signal);
    const second = keys.get(signal);
    leaving.abort();
    await expect(first).rejects.toThrow('aborted');
    expect(await second).toBe('k');
    expect(runs()).toBe(2);
  });

  it.each([
    ['', 'it printed nothing'],
    [' \n', 'it printed nothing'],
    ['sk-SECRET\nsk-OTHER', 'it printed more than one line'],
    ['sk-SECRET…', 'a character that a header cannot have'],
  ])('cannot be %j, which no message repeats', async (printed, why) => {
    const { keys } = createWorld(() => Promise.resolve(printed));
    const error: unknown = await keys.get(signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'MODEL_KEY_HELPER',
      message: expect.stringContaining(why),
    });
    expect(String(error)).not.toContain('SECRET');
  });

  it('holds for five minutes, or as long as the environment says', () => {
    const ttl = (value: string): number => keyTtlMs({ CLAUDE_CODE_API_KEY_HELPER_TTL_MS: value });
    expect([keyTtlMs({}), ttl(''), ttl('0'), ttl('2000')]).toEqual([300_000, 300_000, 0, 2_000]);
    expect(() => ttl('5m')).toThrow(
      'CLAUDE_CODE_API_KEY_HELPER_TTL_MS is "5m": set a number of milliseconds, such as 300000.',
    );
  });
});
