import { describe, expect, it } from 'vitest';
import type { SessionContext } from '../../../src/context/context-keys.js';
import type { ModelRequest } from '../../../src/model/model.js';
import type { ScriptedReply } from '../../../src/model/scripted/script.js';
import { comparePrefix } from '../../../src/testing/compare-prefix.js';
import { agentCall, bashCall } from '../../support/scripts.js';
import {
  ALLOW_ALL,
  createTroupe,
  createTroupeOverHttp,
  defineAgent,
  type TroupeOptions,
} from '../../support/troupe.js';

const CONTEXT: SessionContext = {
  memory: [
    {
      path: '/p/CLAUDE.md',
      type: 'Project',
      content: 'Use tabs.',
      contentDiffersFromDisk: false,
      rawContent: 'Use tabs.',
    },
  ],
  gitStatus: 'Branch: main',
};

/** A call that leaves it to the definition whether it waits. */
function callOf(type: string) {
  const { name, input } = agentCall(type, { prompt: `Be ${type}.` });
  const { run_in_background: _, ...rest } = input;
  return { name, input: rest };
}

/** Runs a session whose agent starts one of each type; every request by who made it. */
async function startEach(
  types: readonly string[],
  options: TroupeOptions,
  { agent, reply }: { agent?: string; reply?: (request: ModelRequest) => ScriptedReply } = {},
) {
  const requests: ModelRequest[] = [];
  const { troupe } = await createTroupe((request) => {
    requests.push(structuredClone(request)); // its messages grow
    const isFirst = request.messages.length === 1;
    if (request.origin.name !== 'main') return reply?.(request) ?? { text: 'Done.' };
    return isFirst ? { tools: types.map(callOf) } : { text: 'All done.' };
  }, options);
  const session = troupe.session({ prompt: 'Go.', ...(agent === undefined ? {} : { agent }) });
  const outcome = await session.outcome;
  const firstOf = (type: string) => requests.find(({ origin }) => origin.agentType === type);
  return { outcome, requests, firstOf, session, troupe };
}

describe('the context of a session', () => {
  it('is part of the prompts of the main agent and of its sub-agents, except Explore and Plan', async () => {
    const types = ['general-purpose', 'worker', 'Explore', 'Plan', 'reviewer'];
    const agents = [defineAgent('reviewer')];
    const { firstOf } = await startEach(types, { context: CONTEXT, agents });
    const told = ['main', ...types].filter((type) => {
      const system = firstOf(type)?.system.join('\n') ?? '';
      return system.includes('Use tabs.') && system.includes('Branch: main');
    });
    expect(told).toEqual(['main', 'general-purpose', 'worker', 'reviewer']);
  });

  it('is nothing if a program asks for nothing', async () => {
    const { firstOf } = await startEach(['worker'], {});
    expect([firstOf('main')?.system.length, firstOf('worker')?.system.length]).toEqual([2, 2]);
  });
});

describe('a definition', () => {
  it('gives effort to its agent and to what is below it, if that has no limit but those above it', async () => {
    const { troupe, api } = await createTroupeOverHttp(
      {
        handler: ({ body }) => {
          const text = JSON.stringify(body.messages[0]);
          if (body.messages.length > 1 || !text.includes('Go.')) return { text: 'Done.' };
          const types = ['general-purpose', 'careful'];
          return { tools: types.map((type) => agentCall(type, { prompt: `Be ${type}.` })) };
        },
      },
      {
        agents: [defineAgent('lead', { effort: 'low' }), defineAgent('careful', { effort: 'max' })],
      },
    );
    expect((await troupe.session({ prompt: 'Go.', agent: 'lead' }).outcome).status).toBe(
      'completed',
    );
    expect((await troupe.session({ prompt: 'Plain.' }).outcome).status).toBe('completed');
    expect(api.problems).toEqual([]);
    const efforts = api.requests.map(({ body }) => [
      JSON.stringify(body.messages[0]).match(/Go|Plain|Be [a-z-]+/)?.[0],
      body['output_config'],
    ]);
    expect(efforts.sort()).toEqual(
      [
        ['Be careful', { effort: 'max' }],
        ['Be general-purpose', { effort: 'low' }],
        ['Go', { effort: 'low' }],
        ['Go', { effort: 'low' }],
        ['Plain', undefined],
      ].sort(),
    );
  });

  it("puts its own prompt in front of the first one if it plays the session's own agent", async () => {
    const requests: ModelRequest[] = [];
    const { troupe } = await createTroupe(
      (request) => {
        requests.push(structuredClone(request));
        return { text: 'Done.' };
      },
      { agents: [defineAgent('opener', { initialPrompt: 'First look around.' })] },
    );
    const session = troupe.session({ agent: 'opener' });
    const spawned = await session.spawn({ agent: 'opener', prompt: 'As a sub-agent.' });
    await spawned.outcome;
    await session.prompt('One.');
    await session.prompt('Two.');
    session.end();
    await session.outcome;
    const texts = (request: ModelRequest | undefined) =>
      request?.messages
        .filter(({ role }) => role === 'user')
        .flatMap(({ content }) =>
          content.map((block) => (block.type === 'text' ? block.text : '')),
        );
    const own = requests.filter(({ origin }) => origin.name === 'main');
    expect(texts(own.at(-1))).toEqual(['First look around.', 'One.', 'Two.']);
    expect(texts(requests.find(({ origin }) => origin.name !== 'main'))).toEqual([
      'As a sub-agent.',
    ]);
    const bodies = own.map(({ system, tools, messages }) => ({ system, tools, messages }));
    expect(comparePrefix(bodies as never)).toEqual(comparePrefix([]));
  });

  it('has the model of CLAUDE_CODE_SUBAGENT_MODEL if it names none', async () => {
    const agents = [
      defineAgent('plain'),
      defineAgent('small', { model: 'haiku' }),
      defineAgent('same', { model: 'inherit' }),
    ];
    const env = {
      ...process.env,
      CLAUDE_CODE_SUBAGENT_MODEL: 'opus[1m]',
      ANTHROPIC_DEFAULT_OPUS_MODEL: 'house-opus',
    };
    const options = { agents, env, modelName: 'claude-sonnet-4-5' };
    const { firstOf } = await startEach(['plain', 'small', 'same'], options);
    expect(['main', 'plain', 'small', 'same'].map((type) => firstOf(type)?.model)).toEqual([
      'claude-sonnet-4-5',
      'house-opus',
      'claude-haiku-5-5',
      'claude-sonnet-4-5',
    ]);
  });

  it('decides about model, tools, turns, mode and background', async () => {
    const agents = [
      defineAgent('cheap', { model: 'haiku', tools: ['Read', 'Bash'], disallowedTools: ['Bash'] }),
      defineAgent('short', { maxTurns: 1 }),
      defineAgent('strict', { permissionMode: 'dontAsk' }),
      defineAgent('slow', { background: true }),
    ];
    const { firstOf, requests, outcome } = await startEach(
      ['cheap', 'short', 'strict', 'slow'],
      { agents },
      {
        reply: ({ origin, messages }) =>
          ['short', 'strict'].includes(origin.agentType) && messages.length === 1
            ? { tools: [bashCall('touch made.txt')] }
            : { text: 'Done.' },
      },
    );
    expect(outcome.status).toBe('completed');
    expect(firstOf('cheap')?.model).toContain('haiku');
    expect(firstOf('cheap')?.tools.map(({ name }) => name)).toEqual(['Read']);
    expect(requests.filter(({ origin }) => origin.agentType === 'short').length).toBe(1);
    const strict = requests.findLast(({ origin }) => origin.agentType === 'strict');
    expect(JSON.stringify(strict?.messages)).toContain('nobody is asked in the mode dontAsk');
    const own = JSON.stringify(requests.findLast(({ origin }) => origin.name === 'main')?.messages);
    expect(own).toContain('<task-notification>');
  });
});

describe('the built-in Explore and Plan', () => {
  it.each(['Explore', 'Plan'])(
    '%s reads and changes nothing, whatever is allowed',
    async (type) => {
      const { firstOf, requests } = await startEach(
        [type],
        { permissions: { ...ALLOW_ALL, alwaysAllowRules: { session: ['Bash'] } } },
        {
          reply: ({ messages }) =>
            messages.length === 1
              ? { tools: [bashCall('touch made.txt'), bashCall('pwd')] }
              : { text: 'Done.' },
        },
      );
      expect(firstOf(type)?.tools.map(({ name }) => name)).toEqual([
        'Bash',
        'Glob',
        'Grep',
        'Read',
      ]);
      const told = requests
        .filter(({ origin }) => origin.agentType === type)
        .at(-1)
        ?.messages.at(-1)?.content;
      expect(JSON.stringify(told)).toContain('in plan mode only what reads may run');
    },
  );
});
