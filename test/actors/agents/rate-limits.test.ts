import { describe, expect, it, vi } from 'vitest';
import type { InspectedActor } from '../../../src/actors/contract/inspected-actor.js';
import { createRateLimits } from '../../../src/model/errors/rate-limits.js';
import { createSimulatedTime } from '../../support/simulated-time.js';
import { createTroupeOverHttp, defineAgent } from '../../support/troupe.js';

const agents = [defineAgent('worker'), defineAgent('other', { model: 'claude-haiku-4-5' })];
const MODEL = 'claude-sonnet-4-5';

function waitsOf({ waitingFor, children }: InspectedActor): readonly string[] {
  return [...waitingFor, ...children.flatMap(waitsOf)];
}

describe('a rate limit', () => {
  it('that one agent meets holds back the calls of all to that model until it is over', async () => {
    const time = createSimulatedTime();
    const { troupe, api } = await createTroupeOverHttp(
      {
        replies: [{ status: 429, headers: { 'retry-after': '30' } }],
        handler: () => ({ text: 'Done.' }),
      },
      { agents, modelName: MODEL, clock: time.clock, now: time.now },
    );
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    const isMet = new Promise<void>((resolve) =>
      session.events.once('agent.retry', () => resolve()),
    );
    const spawn = () => session.spawn({ agent: 'worker', prompt: 'Go.' });
    const first = await spawn();
    await isMet;
    const others = await Promise.all(Array.from({ length: 49 }, spawn));
    const until = new Date(time.now() + 30_000).toISOString();
    const held = `the rate limit of ${MODEL} until ${until}`;
    await vi.waitFor(() =>
      expect(waitsOf(troupe.inspect()).filter((wait) => wait === held)).toHaveLength(50),
    );
    const free = await session.spawn({ agent: 'other', prompt: 'Go.' });
    expect(await free.result).toBe('Done.'); // another model is not held back
    time.advance(29_999);
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(api.requests.map(({ body }) => body.model)).toEqual([MODEL, 'claude-haiku-4-5']);
    time.advance(2_001);
    await Promise.all(others.map(({ result }) => result));
    time.advance(8_000); // who met it waits up to a quarter longer
    expect(await first.result).toBe('Done.');
    expect(api.requests).toHaveLength(52);
    await session.kill();
  });

  it('does not hold back an agent that is stopped', async () => {
    const time = createSimulatedTime();
    const { troupe, api } = await createTroupeOverHttp(
      { replies: [{ status: 429, headers: { 'retry-after': '30' } }] },
      { agents, modelName: MODEL, clock: time.clock, now: time.now },
    );
    const session = troupe.session({ hostsOnly: true, staysOpen: true });
    const isMet = new Promise<void>((resolve) =>
      session.events.once('agent.retry', () => resolve()),
    );
    const first = await session.spawn({ agent: 'worker', prompt: 'Go.' });
    await isMet;
    const second = await session.spawn({ agent: 'worker', prompt: 'Go.' });
    await vi.waitFor(() =>
      expect(waitsOf(troupe.inspect())).toContainEqual(expect.stringContaining('the rate limit')),
    );
    expect(await second.kill('not needed')).toEqual({ status: 'killed', reason: 'not needed' });
    expect((await first.kill()).status).toBe('killed');
    expect(api.requests).toHaveLength(1);
    await session.kill();
  });
});

describe('createRateLimits', () => {
  const { signal } = new AbortController();
  const limit = { usedUp: [] };

  function createWorld(random: number) {
    const slept: number[] = [];
    let now = 1_000_000;
    const sleep = (delayMs: number): Promise<void> => {
      slept.push(delayMs);
      now += delayMs;
      return Promise.resolve();
    };
    const setBack = (ms: number): void => void (now -= ms);
    return { slept, setBack, limits: createRateLimits({ now: () => now, sleep }, () => random) };
  }

  it.each([
    ['the time that the API asks for', { rateLimit: limit, retryAfterMs: 10_000 }, 10_000],
    ['the time when the limit resets', { rateLimit: { ...limit, resetsAt: 1_005_000 } }, 5_000],
    ['a minute at most', { rateLimit: limit, retryAfterMs: 3_600_000 }, 60_000],
    ['nothing if the API says no time', { rateLimit: limit }, undefined],
    ['nothing if it was another failure', { retryAfterMs: 10_000 }, undefined],
  ])('waits %s', async (_, error, waitMs) => {
    const { limits, slept } = createWorld(0);
    limits.note(MODEL, error);
    expect(limits.until(MODEL)).toBe(waitMs === undefined ? undefined : 1_000_000 + waitMs);
    await limits.pass(MODEL, signal);
    expect(slept).toEqual(waitMs === undefined ? [] : [waitMs]);
    expect(limits.until(MODEL)).toBeUndefined();
  });

  it('holds nobody back for the hour by which the clock is set back', async () => {
    const { limits, slept, setBack } = createWorld(0);
    limits.note(MODEL, { rateLimit: limit, retryAfterMs: 10_000 });
    setBack(3_600_000);
    await limits.pass(MODEL, signal);
    expect(slept).toEqual([]);
  });

  it('spreads those who waited, by at most two seconds', async () => {
    const short = createWorld(0.5);
    short.limits.note(MODEL, { rateLimit: limit, retryAfterMs: 10_000 });
    await short.limits.pass(MODEL, signal);
    expect(short.slept).toEqual([10_500]);
    const long = createWorld(0.5);
    long.limits.note(MODEL, { rateLimit: limit, retryAfterMs: 50_000 });
    await long.limits.pass(MODEL, signal);
    expect(long.slept).toEqual([51_000]);
  });

  it('waits on if the limit is prolonged meanwhile', async () => {
    const slept: number[] = [];
    let now = 1_000_000;
    const limits = createRateLimits(
      {
        now: () => now,
        sleep(delayMs) {
          slept.push(delayMs);
          if (slept.length === 1) limits.note(MODEL, { rateLimit: limit, retryAfterMs: 25_000 });
          now += delayMs;
          return Promise.resolve();
        },
      },
      () => 0,
    );
    limits.note(MODEL, { rateLimit: limit, retryAfterMs: 10_000 });
    await limits.pass(MODEL, signal);
    expect(slept).toEqual([10_000, 15_000]);
  });

  it('keeps the later of two times', () => {
    const { limits } = createWorld(0);
    limits.note(MODEL, { rateLimit: limit, retryAfterMs: 10_000 });
    limits.note(MODEL, { rateLimit: limit, retryAfterMs: 5_000 });
    expect(limits.until(MODEL)).toBe(1_010_000);
  });
});
