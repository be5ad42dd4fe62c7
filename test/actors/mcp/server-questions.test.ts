import { RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type {
  ElicitationRequest,
  ElicitationResult,
} from '../../../src/core/agents/elicitation.js';
import type { PermissionRequest } from '../../../src/core/events.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { callEach } from '../../support/mcp/call-each.js';
import { createTestServer } from '../../support/mcp/sdk-server.mjs';
import { resultText } from '../../support/scripts.js';
import { askBack, form } from '../../support/mcp/ask-back.js';
import { ALLOW_ALL, ASK_FIRST, defineAgent } from '../../support/troupe.js';
import { until } from '../../processes/processes.js';

const page = (url: string) => ({
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in.', url, elicitationId: 'e1' },
});
const sampling = (params: object = {}) => ({
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'Name a colour.' } }],
    systemPrompt: 'Be brief.',
    maxTokens: 1_000,
    ...params,
  },
});
const NO_ANSWER = '[A question of the server has no answer. ';

describe('a question of a server', () => {
  it('is answered by the program, completed with defaults, and checked by the schema of the form', async () => {
    const seen: ElicitationRequest[] = [];
    const said: ElicitationResult[] = [
      { action: 'accept', content: { name: 'Ada', size: 'm' } },
      { action: 'accept', content: { name: 7 } },
      { action: 'accept', content: { name: 'Ada', more: 'x' } },
      { action: 'accept', content: {} },
      { action: 'decline' },
      { action: 'cancel' },
    ];
    const properties = {
      name: { type: 'string', minLength: 2 },
      size: { type: 'string', enum: ['s', 'm'] },
      count: { type: 'integer', minimum: 1, default: 3 },
      tags: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, default: ['a'] },
    };
    const { answers, notes } = await askBack(
      said.map(() => form('Who?', properties, ['name'])),
      { onElicitation: async (request) => said[seen.push(request) - 1] as ElicitationResult },
    );
    expect(answers).toEqual([
      { action: 'accept', content: { name: 'Ada', size: 'm', count: 3, tags: ['a'] } },
      { action: 'decline' },
      { action: 'decline' },
      { action: 'decline' },
      { action: 'decline' },
      { action: 'cancel' },
    ]);
    expect(seen[0]).toEqual({
      serverName: 'asking',
      message: 'Who?',
      mode: 'form',
      requestedSchema: { type: 'object', properties, required: ['name'] },
    });
    const misfit = `${NO_ANSWER}The answer does not fit the form: `;
    expect(notes).toEqual([
      `${misfit}"name": it must be a string, not the number 7.]`,
      `${misfit}the form has no field "more".]`,
      `${misfit}"name" is required.]`,
    ]);
  });

  it('may be a web page, which the person opens', async () => {
    const { answers, notes } = await askBack(
      [page('https://example.com/login'), page('file:///etc/passwd'), page('javascript:alert(1)')],
      { onElicitation: async () => ({ action: 'accept', content: { ignored: true } }) },
    );
    expect(answers).toEqual([{ action: 'accept' }, { action: 'cancel' }, { action: 'cancel' }]);
    expect(notes).toEqual([
      `${NO_ANSWER}The address is no web page.]`,
      `${NO_ANSWER}The address is no web page.]`,
    ]);
  });

  it('climbs the actor tree like a permission request, and needs an explicit answer', async () => {
    const requests: PermissionRequest[] = [];
    const { answers, notes, audit } = await askBack(
      [form('Continue?', {}), form('Continue?', {})],
      {},
      {
        onReady: ({ troupe }) =>
          void troupe.approvals.onRequest(async (request) => {
            requests.push(request);
            return requests.length === 1
              ? { behavior: 'allow' }
              : { behavior: 'allow', updatedInput: { action: 'accept' } };
          }),
      },
    );
    expect(answers).toEqual([{ action: 'decline' }, { action: 'accept', content: {} }]);
    expect(notes).toEqual([`${NO_ANSWER}It was allowed without an answer.]`]);
    expect(requests[0]).toMatchObject({
      kind: 'elicitation',
      toolName: 'Elicitation',
      message: 'The MCP server "asking" asks: Continue?',
    });
    const answered = audit.filter(
      ({ toolName, type }) => toolName === 'Elicitation' && type === 'permission.answered',
    );
    const hops = answered.map(({ path }) =>
      (path as PermissionRequest['path']).map(({ verdict }) => verdict),
    );
    expect(hops).toEqual([
      ['asked', 'passed on', 'passed on', 'passed on', 'allowed'],
      ['asked', 'passed on', 'passed on', 'passed on', 'allowed'],
    ]);
  });

  it('is declined if nobody is there who answers questions, whatever the mode allows', async () => {
    const { answers, notes, audit } = await askBack(
      [form('Who?', {}), page('https://example.com/login')],
      { canUseTool: async () => ({ behavior: 'allow' }) },
    );
    expect(answers).toEqual([{ action: 'decline' }, { action: 'decline' }]);
    expect(notes[0]).toContain('Nobody is there who could answer.');
    expect(audit.filter(({ by }) => by === 'policy')).toEqual([
      expect.objectContaining({ toolName: 'Elicitation', behavior: 'deny' }),
      expect.objectContaining({ toolName: 'Elicitation', behavior: 'deny' }),
    ]);
  });

  it('is declined by a rule without being shown', async () => {
    const { answers, notes } = await askBack([form('Who?', {})], {
      permissions: { ...ALLOW_ALL, alwaysDenyRules: { session: ['Elicitation(asking)'] } },
      onElicitation: () => Promise.reject(new Error('shown')),
    });
    expect(answers).toEqual([{ action: 'decline' }]);
    expect(notes[0]).toContain('denied by the rule Elicitation(asking)');
  });

  it('is refused if its form cannot be filled in', async () => {
    const { answers, notes } = await askBack(
      [
        form('Odd?', { a: { type: 'integer', minimum: 5, default: 1 } }),
        form('Nested?', { a: { type: 'object', properties: {} } }),
        form('x'.repeat(10_001), {}),
      ],
      { onElicitation: async () => ({ action: 'accept', content: {} }) },
    );
    expect(answers).toEqual([
      { action: 'cancel' },
      { code: -32_603, message: expect.stringContaining('invalid_union') },
      { action: 'decline' },
    ]);
    expect(notes[0]).toBe(
      `${NO_ANSWER}The form cannot be used: the default of "a" does not fit its own schema: it must be at least 5, not the number 1.]`,
    );
  });

  it('is withdrawn if the agent is interrupted', async () => {
    const withdrawn: unknown[] = [];
    const { outcome, audit } = await askBack(
      [form('Who?', {})],
      {},
      {
        onReady: ({ troupe }, session) =>
          void troupe.approvals.onRequest(async (request, { signal }) => {
            signal.addEventListener('abort', () => withdrawn.push(request.kind));
            session.interrupt();
            return undefined;
          }),
      },
    );
    expect(outcome.status).toBe('failed');
    expect(withdrawn).toEqual(['elicitation']);
    expect(audit.at(-1)).toMatchObject({ type: 'permission.cancelled', toolName: 'Elicitation' });
  });
});

describe('a request that its server cancels', () => {
  it.each([
    ['a question', form('Who?', {}), 'elicitation'],
    ['a model request', sampling(), 'permission'],
  ])('is withdrawn, and the call continues: %s', async (_, request, kind) => {
    const withdrawn: unknown[] = [];
    const { outcome, answers, modelRequests } = await askBack(
      [request],
      { permissions: { ...ASK_FIRST, alwaysAllowRules: { session: ['mcp__asking'] } } },
      {
        onReady: ({ troupe }, _session, cancel) =>
          void troupe.approvals.onRequest(async (asked, { signal }) => {
            signal.addEventListener('abort', () => withdrawn.push(asked.kind));
            cancel();
            return undefined;
          }),
      },
    );
    expect(outcome.status).toBe('completed');
    expect(answers).toEqual([
      { code: -32_001, message: expect.stringContaining('not needed any more') },
    ]);
    expect(withdrawn).toEqual([kind]);
    expect(modelRequests).toEqual([]);
  });
});

describe('a call that needs a page first', () => {
  it('puts the page to the person, and the model sees how to continue', async () => {
    const locked = { name: 'mcp__asking__locked', input: { url: 'https://example.com/in' } };
    const said: ElicitationResult[] = [{ action: 'accept' }, { action: 'decline' }];
    const seen: ElicitationRequest[] = [];
    const { troupe, results } = await callEach(
      [locked, locked],
      { asking: { type: 'sdk', name: 'asking', instance: createTestServer().server } },
      {
        permissions: ALLOW_ALL,
        onElicitation: async (request) => said[seen.push(request) - 1] as ElicitationResult,
      },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(seen.map(({ mode, url }) => [mode, url])).toEqual([
      ['url', 'https://example.com/in'],
      ['url', 'https://example.com/in'],
    ]);
    expect(results.map(resultText)).toEqual([
      'The MCP server "asking": it needed a page, which the user has agreed to open. Repeat the call when the user is done there',
      'The MCP server "asking": it needs a person to open a page of example.com. The user declined.',
    ]);
  });
});

describe('the roots of a server', () => {
  it.each([
    ['of the session', false],
    ['of the agent alone', true],
  ])(
    'are the folders of the sessions, and the server is notified when they change: %s',
    async (_, isOwn) => {
      const { server, send } = createTestServer();
      const told: string[][] = [];
      const ask = async () => {
        const { roots } = (await send({ method: 'roots/list' })) as { roots: { name: string }[] };
        told.push(roots.map(({ name }) => name));
      };
      server.setNotificationHandler(RootsListChangedNotificationSchema, ask);
      const change = (type: 'addDirectories' | 'removeDirectories', folder: string) => async () => {
        session.updatePermissions([{ type, directories: [at(folder)], destination: 'session' }]);
        session.updatePermissions([
          { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
        ]);
        await until('it is notified', () => told.length > (type === 'addDirectories' ? 0 : 1));
        return { name: 'TodoWrite' };
      };
      const asking = { asking: { type: 'sdk' as const, name: 'asking', instance: server } };
      const { troupe, at } = await callEach(
        [change('addDirectories', 'more'), change('removeDirectories', 'more')],
        isOwn ? {} : asking,
        { agents: [defineAgent('asker', isOwn ? { mcpServers: [asking] } : {})] },
      );
      const session = troupe.session({ prompt: 'Go.', agent: 'asker' });
      await session.outcome;
      expect(told).toEqual([['work', 'more'], ['work']]);
    },
  );
});

const ALLOWED = {
  ...ASK_FIRST,
  alwaysAllowRules: { session: ['mcp__asking', 'McpSampling(asking)'] },
};

describe('a model request of a server', () => {
  it('is made by the agent of the call, with its model and its budget, if a rule allows it', async () => {
    const { answers, modelRequests } = await askBack(
      [
        sampling(),
        sampling({ maxTokens: 10_000_000, modelPreferences: { hints: [{ name: 'haiku' }] } }),
      ],
      { permissions: ALLOWED },
      { asked: { text: 'Red.' } },
    );
    const reply = {
      role: 'assistant',
      content: { type: 'text', text: 'Red.' },
      stopReason: 'endTurn',
    };
    expect(answers).toEqual([
      { ...reply, model: expect.any(String) },
      { ...reply, model: expect.stringContaining('haiku') },
    ]);
    expect(
      modelRequests.map(({ system, messages, origin }) => ({
        system,
        messages,
        by: origin.agentType,
      }))[0],
    ).toEqual({
      system: ['Be brief.'],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Name a colour.' }] }],
      by: 'main',
    });
    expect(modelRequests[1]?.maxTokens).toBeLessThan(10_000_000);
  });

  it('needs approval otherwise, and is refused if nobody is there', async () => {
    const permissions = { ...ASK_FIRST, alwaysAllowRules: { session: ['mcp__asking'] } };
    const { answers, modelRequests } = await askBack([sampling()], { permissions });
    expect(answers).toEqual([
      {
        code: expect.any(Number),
        message: expect.stringContaining('nobody is there to approve it'),
      },
    ]);
    expect(modelRequests).toEqual([]);
    const asked: PermissionRequest[] = [];
    const approved = await askBack(
      [sampling()],
      {
        permissions,
        canUseTool: async (_name, _input, options) => {
          asked.push(options as never);
          return { behavior: 'allow' };
        },
      },
      { asked: { text: 'Red.' } },
    );
    expect(approved.modelRequests).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  it('may have tools: the server gets their calls, and continues with their results', async () => {
    const tool = { name: 'mix', description: 'Mixes.', inputSchema: { type: 'object' } };
    const use = { type: 'tool_use', id: 'u1', name: 'mix', input: { a: 1 } };
    const result = {
      type: 'tool_result',
      toolUseId: 'u1',
      content: [{ type: 'text', text: 'green' }],
    };
    const shown: unknown[] = [];
    const more = {
      tools: [tool],
      toolChoice: { mode: 'required' },
      messages: [
        { role: 'user', content: { type: 'text', text: 'Mix.' } },
        { role: 'assistant', content: [use] },
        { role: 'user', content: [{ ...result, isError: true }] },
      ],
    };
    const { answers, modelRequests } = await askBack(
      [sampling(more), sampling({ tools: [tool], toolChoice: { mode: 'auto' } })],
      {
        permissions: { ...ASK_FIRST, alwaysAllowRules: { session: ['mcp__asking'] } },
        canUseTool: async (_name, input) => {
          shown.push(input);
          return { behavior: 'allow' };
        },
      },
      { asked: { text: 'I mix.', tools: [{ name: 'mix', input: { a: 2 } }] } },
    );
    expect(answers[0]).toEqual({
      model: expect.any(String),
      role: 'assistant',
      content: [
        { type: 'text', text: 'I mix.' },
        { type: 'tool_use', id: expect.any(String), name: 'mix', input: { a: 2 } },
      ],
      stopReason: 'toolUse',
    });
    expect(modelRequests[0]).toMatchObject({
      tools: [{ name: 'mix', description: 'Mixes.', input_schema: { type: 'object' } }],
      toolChoice: 'any',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Mix.' }] },
        { role: 'assistant', content: [use] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'u1',
              content: [{ type: 'text', text: 'green' }],
              is_error: true,
            },
          ],
        },
      ],
    });
    expect(modelRequests[1]).not.toHaveProperty('toolChoice');
    expect(shown[0]).toMatchObject({
      tools: ['mix'],
      messages: [
        { role: 'user', text: 'Mix.' },
        { role: 'assistant', text: '[calls mix: {"a":1}]' },
        { role: 'user', text: '[result: green]' },
      ],
    });
  });

  it('may have texts that end the reply; its temperature, context and metadata are left out', async () => {
    const left = { temperature: 0.2, includeContext: 'allServers', metadata: { a: 1 } };
    const { modelRequests } = await askBack(
      [sampling({ ...left, stopSequences: ['STOP'] }), sampling(left)],
      { permissions: ALLOWED },
      { asked: { text: 'Red.' } },
    );
    const [{ stopSequences, ...first }, second] = modelRequests as [ModelRequest, ModelRequest];
    expect(stopSequences).toEqual(['STOP']);
    expect(first).toEqual(second);
    expect(Object.keys(first).toSorted()).toEqual([
      'maxTokens',
      'messages',
      'model',
      'origin',
      'system',
      'tools',
    ]);
  });

  it('is refused with sound, with what the Messages API refuses, and beyond its limits', async () => {
    const { answers, modelRequests } = await askBack(
      [
        sampling({ tools: [{ name: 'a.b', inputSchema: { type: 'object' } }] }),
        sampling({ toolChoice: { mode: 'required' } }),
        sampling({ stopSequences: ['\n'] }),
        sampling({
          messages: [
            { role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } },
          ],
        }),
        sampling({ messages: [] }),
        sampling({ maxTokens: 0 }),
        sampling({ systemPrompt: 'x'.repeat(200_000) }),
      ],
      { permissions: ALLOWED },
    );
    expect(answers.map((one) => (one as { message: string }).message)).toEqual([
      expect.stringContaining('The tool name "a.b" has other characters than'),
      expect.stringContaining('toolChoice "required" needs tools.'),
      expect.stringContaining('A stop sequence needs a character that is not blank.'),
      expect.stringContaining('Sampling takes text'),
      expect.stringContaining('It has no messages.'),
      expect.stringContaining('maxTokens must be at least 1.'),
      expect.stringContaining('It has 200014 characters; 200000 are the most.'),
    ]);
    expect(modelRequests).toEqual([]);
  });

  it('counts to the budget of the agent', async () => {
    const { outcome, modelRequests } = await askBack(
      [sampling()],
      { permissions: ALLOWED },
      { asked: { text: 'Red.' }, start: { taskBudget: { turns: 2 } } },
    );
    expect(modelRequests).toHaveLength(1);
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'BUDGET_EXCEEDED' } });
  });
});
