import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ModelEvent } from '../../../src/model/model.js';
import { comparePrefix } from '../../../src/testing/compare-prefix.js';
import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';
import { eventsOf, type FakeModelReply, type FakeReply } from '../../../src/testing/fake-reply.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createTroupeOverHttp, type TroupeOptions } from '../../support/troupe.js';

/** Leaves a line in a file each time it runs, also without an input. */
const MarkTool = buildTool({
  name: 'Mark',
  inputSchema: z.object({ file: z.string().default('nameless') }),
  async call({ file }, { files: { cwd } }) {
    await appendFile(join(cwd, file), 'x\n');
    return { data: `marked ${file}` };
  },
});
const mark = (file: string) => ({ name: 'Mark', input: { file } });

/** Runs one prompt against replies in their order; the last one stands for all that follow. */
async function run(replies: readonly FakeReply[], options: TroupeOptions = {}) {
  const { troupe, api, cwd } = await createTroupeOverHttp(
    { handler: ({ index }) => replies[Math.min(index, replies.length - 1)] as FakeReply },
    { tools: [MarkTool], ...options },
  );
  const session = troupe.session({ prompt: 'Go.' });
  const outcome = await session.outcome;
  await troupe.close();
  expect(api.problems).toEqual([]);
  expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
  const runsOf = (file: string): Promise<number> =>
    readFile(join(cwd, file), 'utf8').then(
      (text) => text.length / 2,
      () => 0,
    );
  return { outcome, requests: api.requests, runsOf };
}

/** Roles and kinds of blocks of a request, in short. */
const shapeOf = (request: FakeRequest | undefined): readonly string[] =>
  (request?.body.messages ?? []).map(({ role, content }) => {
    const blocks = typeof content === 'string' ? [{ type: 'text' }] : content;
    return `${role}: ${blocks.map(({ type }) => type).join(', ')}`;
  });

/** A reply whose last block is a tool use that breaks off after some of its input. */
function cutInside(reply: FakeModelReply, input: string | undefined): FakeReply {
  const events = eventsOf(reply);
  const last = events.findLastIndex(
    ({ type, delta }) =>
      type === 'content_block_delta' && (delta as { type: string }).type === 'input_json_delta',
  );
  const delta = { type: 'input_json_delta', partial_json: input };
  return {
    events: events.flatMap((event, index): readonly ModelEvent[] => {
      if (index !== last) return [event];
      return input === undefined ? [] : [{ ...event, delta }];
    }),
  };
}

const cut = (text: string): FakeReply => ({ text, stopReason: 'max_tokens' });
const outputLimit = {
  status: 'failed',
  failure: {
    code: 'MAX_OUTPUT_TOKENS',
    message: expect.stringContaining('3 continuations') as string,
  },
};

describe('a reply that reached the output limit', () => {
  it('is continued, and its text is one', async () => {
    const { outcome, requests } = await run([cut('One, '), cut('two, '), { text: 'three.' }]);
    expect(outcome).toEqual({ status: 'completed', result: 'One, two, three.' });
    expect(requests.map(shapeOf).at(-1)).toEqual([
      'user: text',
      'assistant: text',
      'user: text',
      'assistant: text',
      'user: text',
    ]);
    expect(JSON.stringify(requests[1]?.body.messages.at(-1))).toContain('Continue exactly where');
  });

  it('is continued three times in a row, then the agent fails', async () => {
    const { outcome, requests } = await run([cut('More. ')]);
    expect(outcome).toEqual(outputLimit);
    expect(requests).toHaveLength(4);
  });

  it('is counted from one after any other reply', async () => {
    const { outcome, requests, runsOf } = await run([
      ...[1, 2, 3].map(() => cut('More. ')),
      { tools: [mark('a')] },
      ...[1, 2, 3].map(() => cut('More. ')),
      { text: 'Done.' },
    ]);
    expect(outcome).toEqual({ status: 'completed', result: 'More. More. More. Done.' });
    expect([requests.length, await runsOf('a')]).toEqual([8, 1]);
  });

  it.each([
    ['in mid-input', '{"file": "b'],
    ['before its input', undefined],
    ['with an empty input', ''],
  ])('never runs a tool that was cut off %s, nor keeps it', async (_, input) => {
    const reply = cutInside(
      { text: 'Two.', tools: [mark('a'), mark('b')], stopReason: 'max_tokens' },
      input,
    );
    const { outcome, requests, runsOf } = await run([reply, { text: 'Done.' }]);
    expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect([await runsOf('a'), await runsOf('b'), await runsOf('nameless')]).toEqual([1, 0, 0]);
    expect(shapeOf(requests[1])).toEqual([
      'user: text',
      'assistant: text, tool_use',
      'user: tool_result, text',
    ]);
  });

  it('of which nothing is left is asked for again', async () => {
    const reply = cutInside(
      { thinking: 'Hm.', tools: [mark('a')], stopReason: 'max_tokens' },
      '{"fi',
    );
    const { outcome, requests, runsOf } = await run([reply, { text: 'Done.' }]);
    expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect([shapeOf(requests[1]), await runsOf('a')]).toEqual([['user: text', 'user: text'], 0]);
  });
});

describe('a tool use whose input is broken', () => {
  it('gets its error result if the reply came to its end', async () => {
    const reply = cutInside({ tools: [mark('a')] }, '{"file": ');
    const { outcome, requests, runsOf } = await run([reply, { text: 'Done.' }]);
    expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(await runsOf('a')).toBe(0);
    expect(shapeOf(requests[1])).toEqual([
      'user: text',
      'assistant: tool_use',
      'user: tool_result',
    ]);
  });

  it('runs if it needs none', async () => {
    const reply = cutInside({ tools: [mark('a')] }, undefined);
    const { outcome, runsOf } = await run([reply, { text: 'Done.' }]);
    expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(await runsOf('nameless')).toBe(1);
  });
});

describe('a reply that was paused', () => {
  const paused: FakeReply = { text: 'Searching. ', stopReason: 'pause_turn' };

  it('is sent back as it stands', async () => {
    const { outcome, requests } = await run([paused, paused, { text: 'Found.' }]);
    expect(outcome).toEqual({ status: 'completed', result: 'Searching. Searching. Found.' });
    expect(requests.map(shapeOf)).toEqual([
      ['user: text'],
      ['user: text', 'assistant: text'],
      ['user: text', 'assistant: text', 'assistant: text'],
    ]);
  });

  it('continues with the results, if it had tools', async () => {
    const reply = { text: 'Both. ', tools: [mark('a')], stopReason: 'pause_turn' };
    const { outcome, requests, runsOf } = await run([reply, { text: 'Done.' }]);
    expect(outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect([shapeOf(requests[1]).at(-1), await runsOf('a')]).toEqual(['user: tool_result', 1]);
  });

  it('leaves mail for the request after it', async () => {
    const { troupe, api } = await createTroupeOverHttp({
      handler: async ({ index }) => {
        if (index === 0) await session.prompt('And more.');
        return [paused, { text: 'Found.' }, { text: 'More.' }][index] as FakeReply;
      },
    });
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'More.' });
    expect(api.requests.map(shapeOf).at(-1)).toEqual([
      'user: text',
      'assistant: text',
      'assistant: text',
      'user: text',
    ]);
    expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
  });
});

describe('a model that refuses', () => {
  const refusal = (details: object | null, tools: FakeModelReply = { text: 'I ' }): FakeReply => ({
    events: eventsOf({ ...tools, stopReason: 'refusal' }).map((event) =>
      event.type === 'message_delta'
        ? { ...event, delta: { stop_reason: 'refusal', stop_details: details } }
        : event,
    ),
  });

  it('fails its agent, with the category', async () => {
    const details = { type: 'refusal', category: 'cyber', explanation: 'It builds malware.' };
    const { outcome, requests } = await run([refusal(details)], { fallbackModel: 'haiku' });
    expect(outcome).toEqual({
      status: 'failed',
      failure: {
        code: 'REFUSED',
        message: 'The model refused to answer (cyber). It builds malware.',
        details: { category: 'cyber', explanation: 'It builds malware.' },
      },
    });
    expect(requests).toHaveLength(1);
  });

  it('need not say why', async () => {
    const { outcome } = await run([refusal(null)]);
    expect(outcome).toMatchObject({
      failure: {
        message: 'The model refused to answer.',
        details: { category: null, explanation: null },
      },
    });
  });

  it('is asked what comes next, in a session that stays', async () => {
    const { troupe, api } = await createTroupeOverHttp({
      handler: ({ index }) => (index === 0 ? refusal(null) : { text: 'Gladly.' }),
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await new Promise((resolve) => session.events.once('agent.idle', resolve));
    await session.prompt('Something else.');
    session.end();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Gladly.' });
    expect(comparePrefix(api.requests.map(({ body }) => body))).toBeUndefined();
  });
});

describe('a turn that has ended in mid-reply', () => {
  it('is not continued at the next prompt', async () => {
    const { troupe, api } = await createTroupeOverHttp({
      handler: ({ index }) => (index < 4 ? cut('More. ') : { text: 'New.' }),
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await new Promise((resolve) => session.events.once('agent.idle', resolve));
    await session.prompt('Something else.');
    session.end();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'New.' });
    const [newest] = api.requests.at(-1)?.body.messages.slice(-1) ?? [];
    expect(newest).toMatchObject({
      role: 'user',
      content: [{ type: 'text', text: 'Something else.' }],
    });
  });
});
