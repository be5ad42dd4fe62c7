import { describe, expect, it } from 'vitest';
import type { FakeRequestBody } from '../../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import { createSimulatedTime, skipRetryWaits } from '../../support/simulated-time.js';
import { createTroupeOverHttp, type TroupeOptions } from '../../support/troupe.js';

const OPUS = 'claude-opus-5-5';
const HAIKU = 'claude-haiku-5-5';
const LONG = 'word '.repeat(1_200);

const hasTools = (body: FakeRequestBody) =>
  Array.isArray(body['tools']) && body['tools'].length > 0;

/** A session that has answered once and is asked to compact; `summaries` answer that request, one a try. */
async function compact(summaries: readonly FakeReply[], options: TroupeOptions = {}) {
  const time = createSimulatedTime();
  const queue = [...summaries];
  const world = await createTroupeOverHttp(
    {
      handler: ({ body }) =>
        hasTools(body) ? { text: LONG } : (queue.shift() ?? { text: 'Summary.' }),
    },
    { modelName: 'opus', clock: time.clock, now: time.now, ...options },
  );
  const session = world.troupe.session({ prompt: 'Go.', staysOpen: true, maxBudgetUsd: 100 });
  const waits = skipRetryWaits(session, time);
  const news: unknown[] = [];
  session.events.on('agent.fallback', (_, fallback) => news.push(fallback));
  session.events.on('agent.rateLimit', (_, limit) => news.push(limit));
  const idle = () => new Promise((resolve) => session.events.once('agent.idle', resolve));
  await idle();
  const again = idle();
  await session.prompt('More.');
  await again;
  const before = session.usage().budget?.used.tokens ?? 0;
  const report = await session.compact().catch((error: unknown) => error);
  const used = (session.usage().budget?.used.tokens ?? 0) - before;
  const asked = world.api.requests.filter(({ body }) => !hasTools(body));
  await world.troupe.close();
  return { report, waits, news, used, models: asked.map(({ body }) => body.model) };
}

describe('a request beside the conversation', () => {
  it('goes to the fallback of a model that stays overloaded', async () => {
    const overloaded: FakeReply = { status: 529 };
    const { report, models, news } = await compact([overloaded, overloaded, overloaded], {
      fallbackModel: 'haiku',
    });
    expect(report).toMatchObject({ summary: 'Summary.' });
    expect(models).toEqual([OPUS, OPUS, OPUS, HAIKU]);
    expect(news).toEqual([
      { from: OPUS, to: HAIKU, reason: expect.stringContaining('529') as string },
    ]);
  });

  it('reports a rate limit', async () => {
    const limited: FakeReply = { status: 429, headers: { 'retry-after': '2' } };
    const { report, news, waits } = await compact([limited]);
    expect(report).toMatchObject({ summary: 'Summary.' });
    expect(waits).toMatchObject([{ attempt: 1, status: 429 }]);
    expect(news).toEqual([
      {
        severity: 'warning',
        resetsAt: expect.any(Number) as number,
        message: expect.stringMatching(
          /^The model's rate limit is reached\. It resets at .*\. Troupe tries again in [\d.]+ s\.$/,
        ) as string,
      },
    ]);
  });

  it('is charged the text of a reply that was cut, not the events around it', async () => {
    const whole = await compact([]);
    const text = 'x'.repeat(40);
    const cut: FakeReply = { text, fault: { kind: 'cut', afterEvents: 3 } };
    const again = await compact([cut]);
    expect(again.waits).toHaveLength(1);
    const prompt = again.used - whole.used - text.length;
    expect(prompt).toBeGreaterThan(0);
    expect(prompt).toBeLessThanOrEqual(whole.used);
  });
});
