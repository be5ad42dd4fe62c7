import { afterEach, describe, expect, it } from 'vitest';
import {
  createFakeMessagesApi,
  type FakeMessagesApi,
  type FakeMessagesApiOptions,
} from '../../src/testing/fake-messages-api.js';
import { eventsOf } from '../../src/testing/fake-reply.js';

let api: FakeMessagesApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function start(options: FakeMessagesApiOptions): Promise<FakeMessagesApi> {
  api = await createFakeMessagesApi(options);
  return api;
}

const BODY = {
  model: 'claude-sonnet-5-5',
  max_tokens: 10,
  messages: [{ role: 'user', content: 'hi' }],
};

function post(url: string, body: unknown, headers: Record<string, string> = { 'x-api-key': 'k' }) {
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

describe('createFakeMessagesApi', () => {
  it('answers a request that does not stream with the whole message', async () => {
    const { url } = await start({ replies: [{ text: 'hello', tools: [{ name: 'Read' }] }] });
    const response = await post(`${url}/v1/messages`, BODY);
    expect(await response.json()).toMatchObject({
      id: 'msg_fake_0',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      content: [
        { type: 'text', text: 'hello' },
        { type: 'tool_use', id: 'toolu_fake_0_0', name: 'Read', input: {} },
      ],
      stop_reason: 'tool_use',
    });
  });

  it('streams the events of the reply, in the order of eventsOf', async () => {
    const reply = { text: 'hello' };
    const { url } = await start({ replies: [reply] });
    const response = await post(`${url}/v1/messages`, { ...BODY, stream: true });
    const text = eventsOf(reply, { model: BODY.model })
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toBe(text);
  });

  it('holds an event until its gate opens', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const reply = { text: 'hello', gate: (index: number) => (index === 3 ? gate : undefined) };
    const { url } = await start({ replies: [reply] });
    const response = await post(`${url}/v1/messages`, { ...BODY, stream: true });
    const decoder = new TextDecoder();
    let text = '';
    let isOpen = false;
    if (response.body === null) throw new Error('no body');
    for await (const part of response.body) {
      text += decoder.decode(part as Uint8Array, { stream: true });
      if (isOpen || !text.includes('hello')) continue;
      expect(text).not.toContain('content_block_stop');
      isOpen = true;
      open();
    }
    expect(text).toContain('message_stop');
  });

  it('answers by what was asked, once its replies are used up', async () => {
    const { url, requests } = await start({
      replies: [{ text: 'first' }],
      handler: ({ index, body }) => ({ text: `${index}: ${JSON.stringify(body.messages)}` }),
    });
    await post(`${url}/v1/messages`, BODY);
    const response = await post(`${url}/v1/messages`, BODY);
    expect(await response.json()).toMatchObject({
      content: [{ type: 'text', text: '1: [{"role":"user","content":"hi"}]' }],
    });
    expect(requests.map(({ body }) => body)).toEqual([BODY, BODY]);
  });

  it('says when it has no reply left', async () => {
    const { url, problems } = await start({ replies: [] });
    const response = await post(`${url}/v1/messages`, BODY);
    expect(response.status).toBe(400);
    expect(problems).toEqual(['the fake has no reply for request 0: it has 0']);
  });

  it('shows what its handler threw', async () => {
    const { url, problems } = await start({
      handler: () => {
        throw new Error('oops');
      },
    });
    expect((await post(`${url}/v1/messages`, BODY)).status).toBe(400);
    expect(problems).toEqual(["the fake's own code threw: Error: oops"]);
  });

  it('reports a request as soon as it has arrived', async () => {
    const { url, request } = await start({ replies: [{ text: 'a' }, { text: 'b' }] });
    const second = request(1);
    await post(`${url}/v1/messages`, BODY);
    await post(`${url}/v1/messages`, { ...BODY, max_tokens: 11 });
    expect((await second).body['max_tokens']).toBe(11);
    expect((await request(0)).index).toBe(0);
    expect(await (await second).closed).toBe('finished');
  });

  it.each([
    [{}, 401],
    [{ 'x-api-key': 'wrong' }, 401],
    [{ authorization: 'Bearer secret' }, 200],
    [{ 'x-api-key': 'secret' }, 200],
  ])('answers the headers %j with %i', async (headers, status) => {
    const { url } = await start({ apiKey: 'secret', handler: () => ({ text: 'a' }) });
    expect((await post(`${url}/v1/messages`, BODY, headers)).status).toBe(status);
  });

  it('counts tokens, and knows no other path', async () => {
    const { url, requests } = await start({});
    const counted = await post(`${url}/v1/messages/count_tokens`, BODY);
    expect(await counted.json()).toEqual({ input_tokens: expect.any(Number) });
    expect((await post(`${url}/v1/models`, BODY)).status).toBe(404);
    expect(requests).toEqual([]);
  });

  it('answers with a status, headers and a body as they were given', async () => {
    const { url } = await start({
      replies: [{ status: 503, headers: { 'retry-after': '3' }, body: 'sorry' }],
    });
    const response = await post(`${url}/v1/messages`, BODY);
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([
      503,
      '3',
      'sorry',
    ]);
  });

  it('refuses the requests that the API refuses, unless the checks are off', async () => {
    const wrong = { ...BODY, temperature: 1 };
    const strict = await start({ handler: () => ({ text: 'a' }) });
    expect((await post(`${strict.url}/v1/messages`, wrong)).status).toBe(400);
    expect(strict.problems).toEqual(['temperature: no longer supported']);
    await strict.close();
    const lax = await start({ handler: () => ({ text: 'a' }), isStrict: false });
    expect((await post(`${lax.url}/v1/messages`, wrong)).status).toBe(200);
  });
});
