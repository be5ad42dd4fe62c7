import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { InspectedActor } from '../../../src/actors/contract/inspected-actor.js';
import { watchSilence } from '../../../src/actors/agents/requests/silence-watch.js';
import { createTimers } from '../../../src/actors/services/timers.js';
import { createAnthropicModel } from '../../../src/model/anthropic/anthropic-model.js';
import type { ModelSilentError } from '../../../src/model/errors/broken-reply-errors.js';
import { eventsOf, type FakeReply } from '../../../src/testing/fake-reply.js';
import { createSimulatedTime, skipRetryWaits } from '../../support/simulated-time.js';
import { createTroupeOverHttp } from '../../support/troupe.js';

const MINUTE = 60_000;

/** Waits until `find` has found something, which some other actor brings about. */
async function until<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function open(replies: readonly FakeReply[]) {
  const time = createSimulatedTime();
  const world = await createTroupeOverHttp(
    { handler: ({ index }) => replies[Math.min(index, replies.length - 1)] as FakeReply },
    { clock: time.clock, now: time.now },
  );
  const session = world.troupe.session({ prompt: 'Go.' });
  const retries = skipRetryWaits(session, time);
  const agentOf = ({ kind, children, ...rest }: InspectedActor): InspectedActor | undefined =>
    kind === 'agent'
      ? { kind, children, ...rest }
      : children.map(agentOf).find((one) => one !== undefined);
  const waitOf = (): string | undefined =>
    agentOf(world.troupe.inspect())?.waitingFor.find((wait) => wait.includes('the model'));
  return { ...world, time, session, retries, waitOf };
}

describe('a stream that falls silent', () => {
  const events = eventsOf({ text: 'One two three.' });
  const stalled = (afterEvents: number): FakeReply => ({
    events,
    fault: { kind: 'stall', afterEvents },
  });

  it('is ended after 90 s and asked for again', async () => {
    const { api, time, session, retries, waitOf } = await open([stalled(3), { text: 'Done.' }]);
    await until(() => (waitOf()?.includes('last one came at') === true ? true : undefined));
    time.advance(89_000);
    expect([api.requests.length, retries]).toEqual([1, []]);
    time.advance(1_000);
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect([api.requests.length, retries.length]).toEqual([2, 1]);
  });

  it('is given five minutes for its first word', async () => {
    const silent: FakeReply = { connection: 'silent' };
    const { api, time, session, retries, waitOf } = await open([silent, { text: 'Done.' }]);
    await until(() => (api.requests.length === 1 ? true : undefined));
    expect(waitOf()).toBe(
      `the first event of the model, requested at ${new Date(time.now()).toISOString()}`,
    );
    for (let minute = 1; minute < 5; minute += 1) time.advance(MINUTE);
    expect(retries).toEqual([]);
    time.advance(MINUTE);
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.requests).toHaveLength(2);
  });

  it('keeps the tool uses that were whole', async () => {
    const reply = { tools: [{ name: 'TodoWrite', input: { todos: [] } }], text: 'Noting.' };
    const all = eventsOf(reply);
    const last = all.findLastIndex(({ type }) => type === 'content_block_stop') + 1;
    const broken: FakeReply = { events: all, fault: { kind: 'stall', afterEvents: last } };
    const { api, time, session, retries } = await open([broken, { text: 'Done.' }]);
    await new Promise<void>((resolve) =>
      session.events.on('agent.message', (_origin, { content }) => {
        if (content[0]?.type === 'tool_result') resolve();
      }),
    );
    time.advance(90_000);
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect([retries, api.problems]).toEqual([[], []]);
    expect(api.requests[1]?.body.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  it('fails its agent after eight tries', async () => {
    const { api, time, session, retries, waitOf } = await open([stalled(2)]);
    void (async () => {
      for (let tries = 1; tries <= 8; tries += 1) {
        await until(() => (api.requests.length === tries ? true : undefined));
        await until(() => (waitOf()?.includes('last one came at') === true ? true : undefined));
        time.advance(90_001); // waits are no whole milliseconds
        await until(() => (retries.length === tries || tries === 8 ? true : undefined));
      }
    })();
    expect(await session.outcome).toEqual({
      status: 'failed',
      failure: {
        code: 'MODEL_SILENT',
        message: "The model's answer stopped: nothing has arrived for 90 s.",
      },
    });
  });
});

describe('a watch over a stream', () => {
  it('rings when the silence has been long enough, however life came before', () => {
    const time = createSimulatedTime();
    const timers = createTimers(time);
    const rung: ModelSilentError[] = [];
    const limits = { idleMs: 90_000, firstMs: 300_000 };
    const watch = watchSilence(limits, timers, (e) => rung.push(e));
    time.advance(100_000);
    watch.heard(); // the first word
    time.advance(80_000);
    watch.heard();
    time.advance(89_999);
    expect(rung).toEqual([]);
    time.advance(1);
    expect(rung.map(({ silentMs }) => silentMs)).toEqual([90_000]);
  });

  it('does not ring because the clock was set', () => {
    const time = createSimulatedTime();
    let jump = 0;
    const timers = createTimers({ ...time, now: () => time.now() + jump, elapsed: time.now });
    const rung: ModelSilentError[] = [];
    const limits = { idleMs: 10, firstMs: 30 };
    const watch = watchSilence(limits, timers, (e) => rung.push(e));
    time.advance(5);
    watch.heard();
    jump = 86_400_000;
    time.advance(9);
    expect(rung).toEqual([]);
    jump = -86_400_000;
    time.advance(1);
    expect(rung.map(({ silentMs }) => silentMs)).toEqual([10]);
  });

  it('ends when it is stopped', () => {
    const time = createSimulatedTime();
    const timers = createTimers(time);
    const rung: ModelSilentError[] = [];
    const limits = { idleMs: 10, firstMs: 30 };
    const watch = watchSilence(limits, timers, (e) => rung.push(e));
    time.advance(20);
    watch.stop();
    time.advance(1_000);
    expect(rung).toEqual([]);
  });
});

describe('the client of the Messages API', () => {
  it('reports pings, which are no events', async () => {
    let answer: ServerResponse | undefined;
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: ping\ndata: {"type": "ping"}\n\n');
      answer = response;
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const model = createAnthropicModel({ baseURL: `http://127.0.0.1:${port}`, apiKey: 'test' });
    const seen: string[] = [];
    const request = {
      model: 'claude',
      maxTokens: 1,
      system: [],
      tools: [],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
      origin: { agentId: 'a', agentType: 'main' },
    } as const;
    const { signal } = new AbortController();
    const onActivity = (): void => {
      if (seen.length === 0) {
        for (const event of eventsOf({ text: 'Hi.' }))
          answer?.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        answer?.end();
      }
      seen.push('life');
    };
    for await (const { type } of await model.stream(request, { signal, onActivity }))
      seen.push(type);
    expect(seen[0]).toBe('life');
    expect(seen.filter((one) => one !== 'life')).toEqual(
      eventsOf({ text: 'Hi.' }).map(({ type }) => type),
    );
  });
});
