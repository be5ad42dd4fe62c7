import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../../src/api/orchestrator/orchestrator.js';
import { createAnthropicModel } from '../../../../src/model/anthropic/anthropic-model.js';
import { comparePrefix, isPrefixExtension } from '../../../../src/testing/compare-prefix.js';
import {
  createFakeMessagesApi,
  type FakeRequest,
} from '../../../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../../../src/testing/fake-reply.js';
import { agentEntries } from '../../../support/journals.js';
import { agentCall } from '../../../support/scripts.js';
import {
  ALLOW_ALL,
  createFolder,
  createTroupeOverHttp,
  defineAgent,
} from '../../../support/troupe.js';

type Block = { readonly type: string; readonly text?: string; readonly content?: unknown };

const FORKED = 'The conversation was forked here: this tool call continues in the original.';

/** The blocks of the newest user message, cache marks left out. */
function newestBlocks({ body }: FakeRequest): readonly Block[] {
  const content = body.messages.at(-1)?.content;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return (blocks as readonly (Block & { cache_control?: unknown })[]).map(
    ({ cache_control: _mark, ...block }) => block,
  );
}

const textsOf = (request: FakeRequest): readonly string[] =>
  newestBlocks(request).flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : []));
const resultsOf = (request: FakeRequest): readonly string[] =>
  newestBlocks(request).flatMap(({ type, content }) =>
    type === 'tool_result' ? [JSON.stringify(content)] : [],
  );

function forkCall(prompt: string, input: Readonly<Record<string, unknown>> = {}) {
  const call = agentCall('fork', { prompt });
  return { ...call, input: { ...call.input, description: prompt, ...input } };
}

/** Answers forks by their prompts; an agent with any other prompt is the original, and gets the next of its replies. */
function script(
  original: readonly FakeReply[],
  forks: Readonly<Record<string, readonly FakeReply[]>>,
): (request: FakeRequest) => FakeReply {
  return (request) => {
    const { messages } = request.body;
    const prompts = Object.keys(forks);
    const at = messages.findIndex(({ content }) =>
      prompts.some((prompt) => JSON.stringify(content).includes(`"text":"${prompt}"`)),
    );
    const said = (from: number): number =>
      messages.slice(from).filter(({ role }) => role === 'assistant').length;
    if (at === -1) return original[said(0)] ?? { status: 400 };
    const prompt = prompts.find((one) =>
      JSON.stringify(messages[at]?.content).includes(`"text":"${one}"`),
    );
    return forks[prompt ?? '']?.[said(at)] ?? { status: 400 };
  };
}

describe('forks', () => {
  it('begin with the bytes of the agent that they are copies of, and share all but their prompts', async () => {
    const { troupe, api } = await createTroupeOverHttp(
      {
        handler: script(
          [
            { thinking: 'Look first.', tools: [{ name: 'Glob', input: { pattern: '*' } }] },
            {
              text: 'Twice.',
              tools: [
                forkCall('Left'),
                forkCall('Right'),
                { name: 'Glob', input: { pattern: '*.x' } },
              ],
            },
            { text: 'Done.' },
          ],
          {
            Left: [{ tools: [{ name: 'Glob', input: { pattern: 'l' } }] }, { text: 'It is left.' }],
            Right: [{ text: 'It is right.' }],
          },
        ),
      },
      { agents: [defineAgent('lead', { effort: 'high', tools: ['Glob', 'Agent'] })] },
    );
    const session = troupe.session({ prompt: 'Go.', agent: 'lead', modelName: 'opus' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
    const isOf = (prompt: string) => (request: FakeRequest) =>
      JSON.stringify(request.body.messages).includes(`"text":"${prompt}"`);
    const left = api.requests.filter(isOf('Left'));
    const right = api.requests.filter(isOf('Right'));
    const original = api.requests.filter((one) => !left.includes(one) && !right.includes(one));
    expect([original.length, left.length, right.length]).toEqual([3, 2, 1]);

    const asking = original[1]!.body;
    for (const fork of [left, right]) {
      expect(comparePrefix([asking, ...fork.map(({ body }) => body)])).toBeUndefined();
      const { model, max_tokens, output_config } = fork[0]!.body as Record<string, unknown>;
      expect({ model, max_tokens, output_config }).toEqual({
        model: asking['model'],
        max_tokens: asking['max_tokens'],
        output_config: { effort: 'high' },
      });
      expect(resultsOf(fork[0]!)).toEqual(Array(3).fill(JSON.stringify(FORKED)));
    }
    expect(textsOf(left[0]!)).toEqual(['Left']);
    expect(textsOf(right[0]!)).toEqual(['Right']);
    const shared = (request: FakeRequest): string =>
      JSON.stringify([request.body.messages.slice(0, -1), newestBlocks(request).slice(0, -1)]);
    expect(shared(left[0]!)).toBe(shared(right[0]!));
    expect(isPrefixExtension(asking, original[2]!.body)).toBe(true);
    expect(resultsOf(original[2]!).map((text) => /^"It is (left|right)\./.exec(text)?.[1])).toEqual(
      ['left', 'right', undefined],
    );
  });

  it('cannot be forked, and may start others', async () => {
    const { troupe, api } = await createTroupeOverHttp(
      {
        handler: script([{ tools: [forkCall('Left')] }, { text: 'Done.' }], {
          Left: [{ tools: [forkCall('Lower'), agentCall('helper')] }, { text: 'No.' }],
          'Do your part.': [{ text: 'Helped.' }],
        }),
      },
      { agents: [defineAgent('helper')] },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    const refused = api.requests.find((request) => resultsOf(request).length === 2);
    expect(resultsOf(refused!)[0]).toContain('a fork cannot be forked');
    expect(resultsOf(refused!)[1]).toContain('Helped.');
  });

  it.each([{ model: 'haiku' }, { isolation: 'worktree' }])('cannot have %j', async (input) => {
    const { troupe, api } = await createTroupeOverHttp({
      handler: script([{ tools: [forkCall('Left', input)] }, { text: 'Done.' }], {}),
    });
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(resultsOf(api.requests[1]!)[0]).toContain('leave model and isolation out');
  });

  it('are made of their own journal by the process that resumes them', async () => {
    const api = await createFakeMessagesApi({
      handler: (request) => {
        const { messages } = request.body;
        const text = JSON.stringify(messages);
        const isFork = text.includes('"text":"Left"');
        if (isFork) return { text: text.includes('More') ? 'Two.' : 'One.' };
        if (!text.includes('Again'))
          return messages.length === 1 ? { tools: [forkCall('Left')] } : { text: 'Later.' };
        const id = /Agent: (afork-[0-9a-f]{16})/.exec(text)?.[1];
        return text.includes('"More"')
          ? { text: 'Done.' }
          : { tools: [forkCall('More', { resume: id })] };
      },
    });
    onTestFinished(() => api.close());
    const [cwd, home] = [await createFolder(), await createFolder()];
    const open = () => {
      const model = createAnthropicModel({ baseURL: api.url, apiKey: 'test' });
      const troupe = createOrchestrator({ cwd, home, model, permissions: ALLOW_ALL });
      onTestFinished(() => troupe.close());
      return troupe;
    };
    const first = open();
    const { sessionId, outcome, directory, events } = first.session({ prompt: 'Go.' });
    let forkId = '';
    events.on('agent.message', ({ agentId }) => {
      if (agentId.startsWith('afork-')) forkId = agentId;
    });
    await outcome;
    await first.close();
    const session = open().session({ resume: sessionId, prompt: 'Again.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
    const forks = api.requests.filter(({ body }) =>
      JSON.stringify(body.messages).includes('"text":"Left"'),
    );
    expect(forks).toHaveLength(2);
    expect(
      comparePrefix([api.requests[0]!.body, ...forks.map(({ body }) => body)]),
    ).toBeUndefined();
    expect(textsOf(forks[1]!)).toEqual(['More']);
    const entries = await agentEntries({ directory }, forkId);
    expect(entries[1]).toMatchObject({
      type: 'agent.forked',
      messages: [{ role: 'user' }, { role: 'assistant' }],
    });
  });

  it('of a program continue from the newest message', async () => {
    const { troupe, api } = await createTroupeOverHttp({
      handler: ({ body }) => ({ text: `Reply ${body.messages.length}.` }),
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await expect(session.spawn({ agent: 'fork', prompt: 'Too early.' })).rejects.toThrow(
      'nothing was said yet',
    );
    await new Promise<void>((resolve) => {
      session.events.on('agent.idle', () => resolve());
    });
    const fork = await session.spawn({ agent: 'fork', prompt: 'And you?' });
    expect(await fork.result).toBe('Reply 3.');
    session.end();
    await session.outcome;
    expect(comparePrefix(api.requests.slice(0, 2).map(({ body }) => body))).toBeUndefined();
  });

  it('are of a type that rules know', async () => {
    const { troupe, api } = await createTroupeOverHttp(
      { handler: script([{ tools: [forkCall('Left')] }, { text: 'Done.' }], {}) },
      { permissions: { ...ALLOW_ALL, alwaysDenyRules: { session: ['Agent(fork)'] } } },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(resultsOf(api.requests[1]!)[0]).toContain('denied');
  });
});
