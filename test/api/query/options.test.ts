import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { QueryOptions } from '../../../src/api/query/query-options.js';
import { UsageError } from '../../../src/core/errors.js';
import type { PermissionAnswer } from '../../../src/core/decision-types.js';
import type { FakeReply } from '../../../src/testing/fake-reply.js';
import type { FakeRequest } from '../../../src/testing/fake-messages-api.js';
import { agentCall, bashCall } from '../../support/scripts.js';
import { collect, createQueries, resultOf } from './support.js';

/** The first request of each agent is answered with a use of a tool, the next one with a word. */
function useOnce(tools: FakeReply & { tools: readonly unknown[] }) {
  return ({ body: { messages } }: FakeRequest): FakeReply =>
    messages.length === 1 ? tools : { text: 'Done.' };
}

function systemOf({ body }: FakeRequest): string {
  return JSON.stringify(body['system']);
}

function toolsOf({ body }: FakeRequest): readonly string[] {
  return ((body['tools'] ?? []) as readonly { name: string }[]).map(({ name }) => name);
}

describe('an option that cannot be used', () => {
  it('names options.env if there is no key, and what runs without one', async () => {
    const { ask, env, api } = await createQueries({ replies: [] });
    const { ANTHROPIC_API_KEY: _key, ...keyless } = env;
    await expect(ask('Hello.', { env: keyless }).next()).rejects.toMatchObject({
      code: 'MODEL_AUTH_MISSING',
      message:
        'No key for the model. Set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), ' +
        'or give query() an `options.env` that has it. To run without a key, use ' +
        'createFakeMessagesApi of troupe/testing: see docs/build/query.md.',
    });
    expect(api.requests).toEqual([]);
  });

  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{ allowedTool: ['Read'] }, 'there is no option "allowedTool". Meant "allowedTools"?'],
    [{ disallowedTool: ['Bash'] }, 'there is no option "disallowedTool". Meant "disallowedTools"?'],
    [{ sandbx: {} }, 'there is no option "sandbx". Meant "sandbox"?'],
    [{ permissions: { deny: ['Bash'] } }, 'there is no option "permissions". Give allowedTools, '],
    [
      { hooks: { PreToolUse: [{ hooks: ['x'] }] } },
      'query: hooks.PreToolUse.0.hooks.0: expected a function',
    ],
    [{ sandbox: { mode: 'docker' } }, '"sandbox.mode" must be one of "none"'],
    [{ plugins: [{ type: 'npm', path: '.' }] }, '"plugins.0.type" must be "local"'],
    [{ plugins: [{ type: 'local', path: '.', skipMcpDiscovery: true }] }, 'skipMcpDiscovery'],
    [{ skills: 'some' }, '"skills" must be "all", or a list of names of skills'],
    [
      { sessionStore: {}, taskBudget: { total: 5 } },
      'the option "taskBudget" is not supported yet',
    ],
    [
      { resumeSessionAt: 'x', resume: 'y' },
      '"resumeSessionAt" works on a copy of a session: give "resume" and forkSession: true too.',
    ],
    [{ managedSettings: { env: {} } }, 'the option "managedSettings" is not supported yet'],
    [{ maxTurns: 0 }, '"maxTurns" must be more than 0, not the number 0'],
    [{ maxTurns: '3' }, '"maxTurns" must be a number, not the string "3"'],
    [{ maxBudgetUsd: -1 }, '"maxBudgetUsd" must be more than 0, not the number -1'],
    [{ maxThinkingTokens: 5 }, 'thinking.budgetTokens is 5'],
    [{ thinking: { type: 'enabled', budgetTokens: 3 } }, 'thinking.budgetTokens is 3'],
    [
      { thinking: { type: 'much' } },
      '"thinking.type" must be one of "adaptive", "enabled", "disabled", not the string "much"',
    ],
    [{ effort: 'huge' }, '"effort" must be one of "low"'],
    [{ model: '' }, '"model" must have at least 1 character'],
    [{ fallbackModel: 'sonnet' }, 'The fallback model "claude-sonnet-5-5" is the model itself'],
    [{ permissionMode: 'yolo' }, '"permissionMode" must be one of "default"'],
    [{ canUseTool: 'yes' }, '"canUseTool" must be a function, not the string "yes"'],
    [{ canUseTool: () => {}, permissionPromptToolName: 'x' }, 'both decide permission requests'],
    [
      { permissionPromptToolName: 'mcp__a__b' },
      'There is no tool "mcp__a__b" to decide permission requests',
    ],
    [{ allowedTools: 'Read' }, '"allowedTools" must be an array, not the string "Read"'],
    [{ allowedTools: ['Read('] }, 'allowedTools: '],
    [{ disallowedTools: ['Read('] }, 'disallowedTools: '],
    [{ tools: 'Read' }, '"tools" must be a list of tool names'],
    [{ agents: { a: { prompt: 'x' } } }, '"agents.a.description" is required (a string)'],
    [{ maxTurns: 'x' }, '"maxTurns" must be a number, not the string "x"'],
    [
      { agents: { a: { description: 'x', prompt: 'y', tool: [] } } },
      '"agents.a": there is no "tool" here',
    ],
    [{ agent: 'nobody' }, 'There is no agent "nobody"'],
    [{ mcpServers: { a: { type: 'ws', url: 'ws://x' } } }, '"mcpServers.a" has the type ws'],
    [{ mcpServers: { a: { type: 'http', url: 'x' } } }, '"mcpServers.a.url": write an address'],
    [{ mcpServers: { a: { args: [] } } }, '"mcpServers.a.command" is required'],
    [
      { mcpServers: { a: { type: 'sdk', name: 'a' } } },
      '"mcpServers.a" must be the result of createSdkMcpServer',
    ],
    [{ mcpServers: { __: { command: 'x' } } }, 'is not a valid name of a server'],
    [{ outputFormat: { type: 'json_schema', schema: { type: 'string' } } }, 'object'],
    [
      { outputFormat: { type: 'text' } },
      '"outputFormat.type" must be "json_schema", not the string "text"',
    ],
    [{ resume: 'x' }, 'There is no session "x"'],
    [{ resume: 'x', continue: true }, '"resume" and "continue" name one session each'],
    [{ forkSession: true }, 'A fork needs a session'],
    [{ continue: true }, 'There is no session in'],
    [{ sessionId: 'x' }, '"x" is not a session ID'],
    [{ settingSources: ['all'] }, '"settingSources.0" must be one of "user"'],
    [{ settings: '/no/such/file.json' }, 'Settings cannot be read'],
    [{ settings: { model: 5 } }, 'model'],
    [{ systemPrompt: { type: 'preset', preset: 'other' } }, '"systemPrompt" must be a text'],
    [{ cwd: '/no/such/folder' }, '"cwd": '],
    [{ additionalDirectories: ['/no/such/folder'] }, '"additionalDirectories": '],
    [{ abortController: {} }, '"abortController" must be'],
    [{ env: { A: 5 } }, '"env.A" must be a string, not the number 5'],
    [{ stderr: 'loud' }, '"stderr" must be a function, not the string "loud"'],
    [{ title: 'two\nlines' }, 'one line'],
  ])('%j is refused with the first message', async (options, message) => {
    const { ask, api } = await createQueries({ replies: [] });
    const first = ask('Hi.', options as QueryOptions).next();
    await expect(first).rejects.toThrow(UsageError);
    await expect(first).rejects.toThrow(message);
    expect(api.requests).toEqual([]);
  });

  it('is refused if there are no options at all but another thing', async () => {
    const { query } = await import('../../../src/api/query/query.js');
    await expect(query({ prompt: 'Hi.', options: 5 as never }).next()).rejects.toThrow(
      '"options" must be an object',
    );
  });
});

describe('an option without effect', () => {
  it('passes if nothing hangs on it, or it asks for nothing', async () => {
    const { ask, told } = await createQueries({ replies: [{ text: 'Hello.' }] });
    const options: QueryOptions = {
      pathToClaudeCodeExecutable: '/usr/bin/claude',
      executable: 'node',
      executableArgs: [],
      extraArgs: {},
      debug: true,
      hooks: {},
      plugins: [],
      sandbox: { enabled: false },
      enableFileCheckpointing: false,
      betas: [],
      maxTurns: undefined,
      strictMcpConfig: true,
    };
    expect(await resultOf(ask('Hi.', options))).toMatchObject({ result: 'Hello.' });
    expect(told).toEqual([]);
  });

  it('is reported with the name that was probably meant if it is unknown', async () => {
    const { ask, told } = await createQueries({ replies: [{ text: 'Hello.' }] });
    const options = { colour: 'red', modle: 'sonnet', cleanupDays: undefined };
    expect(await resultOf(ask('Hi.', options as QueryOptions))).toMatchObject({ result: 'Hello.' });
    expect(told).toEqual([
      'troupe: query: there is no option "colour"; it has no effect.\n',
      'troupe: query: there is no option "modle"; it has no effect. Meant "model"?\n',
    ]);
  });

  it('is reported if something was asked for', async () => {
    const { ask, told } = await createQueries({ replies: [{ text: 'Hello.' }] });
    await resultOf(
      ask('Hi.', {
        betas: ['context-1m-2025-08-07'],
        tools: ['Read', 'WebSurf'],
        agents: { a: { description: 'x', prompt: 'y', hooks: { Stop: 1 } } },
      }),
    );
    expect(told.map((line) => line.split('. Built in')[0])).toEqual([
      'troupe: The option "betas" has no effect.\n',
      expect.stringContaining('the agent "a": its hooks do not run: '),
      'troupe: tools: there is no built-in tool "WebSurf"',
    ]);
  });
});

describe('appendSystemPrompt', () => {
  it.each<[string, QueryOptions]>([
    ['alone', {}],
    ['after its own prompt', { systemPrompt: 'You review.' }],
    [
      'after the append of a preset',
      { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'First.' } },
    ],
  ])('reaches the model %s', async (_name, options) => {
    const { ask, api } = await createQueries({ replies: [{ text: 'Hello.' }] });
    await resultOf(ask('Hi.', { ...options, appendSystemPrompt: 'Answer in Dutch.' }));
    expect(api.requests.map(systemOf)).toEqual([expect.stringContaining('Answer in Dutch.')]);
  });
});

describe('canUseTool', () => {
  it('is asked with signal, suggestions and ids, and its answer counts', async () => {
    const { ask, at } = await createQueries({
      handler: useOnce({ tools: [bashCall('touch made'), bashCall('touch other')] }),
    });
    const asked: unknown[] = [];
    const answers: PermissionAnswer[] = [
      { behavior: 'allow', updatedInput: { command: 'touch edited' } },
      { behavior: 'deny', message: 'Not this one.' },
    ];
    const messages = await collect(
      ask('Go.', {
        canUseTool(toolName, input, { signal, suggestions, toolUseID, agentID, decisionReason }) {
          asked.push([toolName, input['command'], toolUseID.length > 0, agentID]);
          expect([signal.aborted, suggestions.length > 0, typeof decisionReason]).toEqual([
            false,
            true,
            'string',
          ]);
          return Promise.resolve(answers.shift() as PermissionAnswer);
        },
      }),
    );
    expect(asked).toEqual([
      ['Bash', 'touch made', true, undefined],
      ['Bash', 'touch other', true, undefined],
    ]);
    const { existsSync } = await import('node:fs');
    expect(['edited', 'made', 'other'].map((name) => existsSync(at(name)))).toEqual([
      true,
      false,
      false,
    ]);
    expect(messages.at(-1)).toMatchObject({
      permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'touch other' } }],
    });
  });

  it('is asked by sub-agents under the ids of their tasks', async () => {
    const { ask } = await createQueries({
      handler({ body: { messages } }) {
        const isWorker = JSON.stringify(messages[0]).includes('Do your part.');
        if (messages.length > 1) return { text: 'Done.' };
        return { tools: [isWorker ? bashCall('touch x') : agentCall('helper')] };
      },
    });
    let asker: string | undefined;
    const messages = await collect(
      ask('Go.', {
        agents: { helper: { description: 'Helps.', prompt: 'You help.', model: 'haiku' } },
        canUseTool: (_name, _input, { agentID }) => {
          asker = agentID;
          return Promise.resolve({ behavior: 'allow' });
        },
      }),
    );
    const started = messages.find((one) => one.type === 'system' && one.subtype === 'task_started');
    expect(started).toMatchObject({ task_id: asker, subagent_type: 'helper' });
  });
});

describe('tools and rules', () => {
  it('name what agents have, what runs without asking, and what never runs', async () => {
    const { ask, api } = await createQueries({
      handler: useOnce({ tools: [bashCall('touch a'), bashCall('rm a')] }),
    });
    const options: QueryOptions = {
      tools: ['Bash', 'Read', 'Write', 'Task'],
      allowedTools: ['Bash(touch *)'],
      disallowedTools: ['Write'],
    };
    const result = await resultOf(ask('Go.', options));
    expect(toolsOf(api.requests[0] as FakeRequest)).toEqual(['Agent', 'Bash', 'Read']);
    expect(result.permission_denials.map(({ tool_input }) => tool_input)).toMatchObject([
      { command: 'rm a' },
    ]);
  });

  it('can be none', async () => {
    const { ask, api } = await createQueries({ replies: [{ text: 'Hello.' }] });
    await resultOf(ask('Hi.', { tools: [] }));
    expect(toolsOf(api.requests[0] as FakeRequest)).toEqual([]);
  });
});

describe('settingSources', () => {
  it('reads nothing of the user or the project if it is absent, and what it names', async () => {
    const { ask, api, at } = await createQueries({ handler: () => ({ text: 'Hello.' }) });
    await mkdir(at('.claude/agents'), { recursive: true });
    await writeFile(at('CLAUDE.md'), 'Use tabs, says the project.');
    await writeFile(at('.claude/settings.json'), '{"model": "claude-of-the-project"}');
    const agent = '---\nname: local\ndescription: Of the project.\n---\nYou are local.';
    await writeFile(at('.claude/agents/local.md'), agent);
    const closed = await collect(ask('Hi.'));
    const open = await collect(ask('Hi.', { settingSources: ['project'] }));
    const [first, second] = api.requests as [FakeRequest, FakeRequest];
    expect([systemOf(first), systemOf(second)].map((one) => one.includes('Use tabs'))).toEqual([
      false,
      true,
    ]);
    expect([first.body.model, second.body.model]).toEqual([
      'claude-sonnet-5-5',
      'claude-of-the-project',
    ]);
    expect(closed[0]).not.toMatchObject({ agents: expect.arrayContaining(['local']) });
    expect(open[0]).toMatchObject({ agents: expect.arrayContaining(['local']) });
  });
});

describe('what a session is begun with', () => {
  it('is what the options say', async () => {
    const { ask, api, cwd } = await createQueries({ handler: () => ({ text: 'Hello.' }) });
    await mkdir(join(cwd, 'sub'));
    const sessionId = '11111111-2222-4333-8444-555555555555';
    const messages = await collect(
      ask('Hi.', {
        cwd: join(cwd, 'sub'),
        sessionId,
        model: 'opus',
        fallbackModel: 'haiku',
        effort: 'low',
        thinking: { type: 'disabled' },
        permissionMode: 'acceptEdits',
        systemPrompt: 'You are a parrot.',
        includePartialMessages: true,
        maxBudgetUsd: 5,
        additionalDirectories: [cwd],
        title: 'A talk',
        settings: { env: { FROM_SETTINGS: '1' } },
      }),
    );
    expect(messages[0]).toMatchObject({
      session_id: sessionId,
      cwd: await realpath(join(cwd, 'sub')),
      model: 'claude-opus-5-5',
      permissionMode: 'acceptEdits',
    });
    const request = api.requests[0] as FakeRequest;
    expect(systemOf(request)).toContain('You are a parrot.');
    expect(request.body).toMatchObject({
      model: 'claude-opus-5-5',
      thinking: { type: 'disabled' },
      output_config: { effort: 'low' },
    });
    const events = messages.filter(({ type }) => type === 'stream_event');
    expect(events[0]).toMatchObject({
      event: { type: 'message_start' },
      parent_tool_use_id: null,
      session_id: sessionId,
      uuid: expect.any(String),
    });
  });

  it('is our own prompt with an addition if the preset is asked for', async () => {
    const { ask, api } = await createQueries({ handler: () => ({ text: 'Hello.' }) });
    const preset = { type: 'preset', preset: 'claude_code', append: 'Rhyme always.' } as const;
    await resultOf(ask('Hi.', { systemPrompt: preset }));
    const system = systemOf(api.requests[0] as FakeRequest);
    expect(system).toContain('You are Troupe');
    expect(system).toContain('Rhyme always.');
  });

  it('is a schema that the result satisfies', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    };
    const { ask } = await createQueries({
      handler: useOnce({ tools: [{ name: 'StructuredOutput', input: { n: 7 } }] }),
    });
    const result = await resultOf(ask('Count.', { outputFormat: { type: 'json_schema', schema } }));
    expect(result).toMatchObject({ subtype: 'success', structured_output: { n: 7 } });
  });

  it('ends at its cap on money', async () => {
    const { ask } = await createQueries({ handler: () => ({ tools: [bashCall('ls')] }) });
    const result = await resultOf(ask('Continue.', { maxBudgetUsd: 0.000_001 }));
    expect(result).toMatchObject({ subtype: 'error_max_budget_usd', is_error: true });
  });
});
