import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/actors/contract/session-message.js';
import type { FakeMessagesApiOptions } from '../../../src/testing/fake-messages-api.js';
import { comparePrefix } from '../../../src/testing/compare-prefix.js';
import { eventsOf, type FakeReply } from '../../../src/testing/fake-reply.js';
import { createWaitTool } from '../../support/probe-tools.js';
import { agentCall } from '../../support/scripts.js';
import { createSimulatedTime, skipRetryWaits } from '../../support/simulated-time.js';
import { createTroupeOverHttp, defineAgent, type TroupeOptions } from '../../support/troupe.js';

const OPUS = 'claude-opus-5-5';
const HAIKU = 'claude-haiku-5-5';
const OVERLOADED: FakeReply = { status: 529 };

async function open(answers: FakeMessagesApiOptions, options: TroupeOptions = {}) {
  const time = createSimulatedTime();
  const world = await createTroupeOverHttp(answers, {
    modelName: 'opus',
    fallbackModel: 'haiku',
    clock: time.clock,
    now: time.now,
    ...options,
  });
  const models = (): readonly string[] => world.api.requests.map(({ body }) => body.model);
  return { ...world, time, models };
}

/** Replies in the order of the requests; the last one stands for all that follow. */
const inOrder = (...replies: readonly FakeReply[]): FakeMessagesApiOptions => ({
  handler: ({ index }) => replies[Math.min(index, replies.length - 1)] as FakeReply,
});

describe('a model that is overloaded', () => {
  it.each<readonly [string, FakeReply]>([
    ['529', OVERLOADED],
    ['503', { status: 503 }],
    ['in mid-stream', { text: 'lost', fault: { kind: 'error', afterEvents: 2 } }],
  ])('has a fallback after three tries: %s', async (_, overloaded) => {
    const { troupe, api, time, models } = await open(
      inOrder(overloaded, overloaded, overloaded, { text: 'Done.' }),
    );
    const session = troupe.session({ prompt: 'Go.' });
    const retries = skipRetryWaits(session, time);
    const messages: SessionMessage[] = [];
    for await (const message of session) messages.push(message);
    expect(models()).toEqual([OPUS, OPUS, OPUS, HAIKU]);
    expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2]); // the last failure is not waited for
    expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
    expect(
      messages.find((message) => 'subtype' in message && message.subtype === 'model_fallback'),
    ).toMatchObject({
      type: 'system',
      from: OPUS,
      to: HAIKU,
      reason: expect.stringMatching(/529|503|overloaded_error/) as string,
    });
    const result = messages.at(-1);
    expect(result).toMatchObject({ type: 'result', result: 'Done.' });
    const { modelUsage } = result as { modelUsage: Record<string, { outputTokens: number }> };
    expect(modelUsage[HAIKU]?.outputTokens).toBeGreaterThan(0);
  });

  it.each([
    ['keeps the calls that were complete, with their results', true],
    ['discards the calls that were not complete, and none of them runs', false],
  ])('in mid-stream %s, for its fallback', async (_, isKept) => {
    const ran: string[] = [];
    const tool = createWaitTool(({ what }) => Promise.resolve(void ran.push(what)));
    const call = (what: string) => ({ name: 'Wait', input: { what } });
    const { troupe, api, time, models } = await open(
      {
        handler({ index, body }) {
          if (body.model === HAIKU) return { text: 'Done.' };
          const tools = [call(`${index} first`), call(`${index} second`)];
          const events = eventsOf({ tools }, { sequence: index });
          const ends = events.flatMap(({ type }, at) =>
            type === 'content_block_stop' ? [at] : [],
          );
          const [firstEnd = 0] = ends;
          return { events, fault: { kind: 'error', afterEvents: firstEnd + (isKept ? 2 : 0) } };
        },
      },
      { tools: [tool] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    skipRetryWaits(session, time);
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(models()).toEqual([OPUS, OPUS, OPUS, HAIKU]);
    expect(ran).toEqual(isKept ? ['0 first', '1 first', '2 first'] : []);
    const sent = api.requests
      .at(-1)
      ?.body.messages.flatMap(({ content }) =>
        typeof content === 'string' ? [content] : content.map(({ type }) => type),
      );
    expect(sent).toEqual(['text', ...ran.flatMap(() => ['tool_use', 'tool_result'])]);
    expect(api.problems).toEqual([]);
  });

  it('has a fallback until the next prompt', async () => {
    const { troupe, time, models } = await open(
      inOrder(
        OVERLOADED,
        OVERLOADED,
        OVERLOADED,
        { tools: [{ name: 'TodoWrite', input: { todos: [] } }] },
        { text: 'Done.' },
        { text: 'Again.' },
      ),
    );
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    skipRetryWaits(session, time);
    await new Promise((resolve) => session.events.once('agent.idle', resolve));
    await session.prompt('And now?');
    session.end();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Again.' });
    expect(models()).toEqual([OPUS, OPUS, OPUS, HAIKU, HAIKU, OPUS]);
  });

  it('has one fallback after the other, eight tries in all', async () => {
    const { troupe, time, models } = await open(inOrder(OVERLOADED), {
      fallbackModel: 'haiku, sonnet',
    });
    const session = troupe.session({ prompt: 'Go.' });
    skipRetryWaits(session, time);
    expect(await session.outcome).toMatchObject({ failure: { code: 'MODEL_OVERLOADED' } });
    const SONNET = 'claude-sonnet-5-5';
    expect(models()).toEqual([OPUS, OPUS, OPUS, HAIKU, HAIKU, HAIKU, SONNET, SONNET]);
  });

  it('is asked on if something else failed in between', async () => {
    const { troupe, time, models } = await open(
      inOrder(OVERLOADED, OVERLOADED, { status: 500 }, OVERLOADED, OVERLOADED, { text: 'Done.' }),
    );
    const session = troupe.session({ prompt: 'Go.' });
    skipRetryWaits(session, time);
    await session.outcome;
    expect(new Set(models())).toEqual(new Set([OPUS]));
  });

  it('has a fallback in sub-agents too, but never itself', async () => {
    const { troupe, time, models } = await open(
      {
        handler: ({ body }) => {
          const isMain = JSON.stringify(body.messages[0]).includes('Go.');
          if (!isMain) return body.model === HAIKU ? OVERLOADED : { text: 'Helped.' };
          return body.messages.length === 1 ? { tools: [agentCall('helper')] } : { text: 'Done.' };
        },
      },
      { agents: [defineAgent('helper', { model: 'haiku' })], fallbackModel: ['haiku', 'sonnet'] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    skipRetryWaits(session, time);
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(models()).toEqual([OPUS, HAIKU, HAIKU, HAIKU, 'claude-sonnet-5-5', OPUS]);
  });

  it('is not its own fallback', async () => {
    const { troupe } = await open(inOrder({ text: 'Never.' }), { fallbackModel: OPUS });
    expect(() => troupe.session({ prompt: 'Go.' })).toThrow(/is the model itself/);
    expect(() => troupe.session({ prompt: 'Go.', fallbackModel: ' ,' })).toThrow(/has no name/);
    const session = troupe.session({ prompt: 'Go.', fallbackModel: 'haiku' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Never.' });
  });
});
