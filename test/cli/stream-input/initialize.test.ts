import { describe, expect, it } from 'vitest';
import { createChangeTool } from '../../support/probe-tools.js';
import { newestResults, playParts, resultText } from '../../support/scripts.js';
import { form } from '../../support/mcp/ask-back.js';
import { createTestServer } from '../../support/mcp/sdk-server.mjs';
import { ALLOW_ALL, ASK_FIRST } from '../../support/troupe.js';
import { createClient, serveTools, type Line } from './support.js';

const CHANGE = { name: 'Change', input: { what: 'it' } };

/** A client whose agent calls Change once; with `results`, the results that the model saw. */
async function changeOnce(options: Parameters<typeof createClient>[1] = {}) {
  const { tool: change, ran } = createChangeTool();
  const results: string[] = [];
  const script = playParts({
    main: [
      { tools: [CHANGE] },
      ({ messages }) => {
        results.push(...newestResults(messages).map(resultText));
        return { text: 'Done.' };
      },
    ],
  });
  const client = await createClient(script, {
    ...options,
    options: { tools: [change], ...options.options },
  });
  return { ...client, ran, results };
}

const hooks = (fields: Line = {}, event = 'PreToolUse'): Line => ({
  subtype: 'initialize',
  hooks: { [event]: [{ matcher: 'Change', hookCallbackIds: ['hook_0'], ...fields }] },
});
const deny = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'Not today.',
  },
};

describe('hooks of a client', () => {
  it('are called by hook_callback, and what they say counts', async () => {
    const client = await changeOnce();
    const called: Line[] = [];
    client.onRequest('hook_callback', (request) => {
      called.push(request);
      return deny;
    });
    expect(await client.ask(hooks())).toMatchObject({
      subtype: 'success',
      response: { hooks_applied: true, hook_on_failure_supported: true },
    });
    client.say('Go.');
    await client.result();
    expect({ ran: client.ran, results: client.results, called }).toEqual({
      ran: [],
      results: [expect.stringContaining('Not today.')],
      called: [
        {
          subtype: 'hook_callback',
          callback_id: 'hook_0',
          tool_use_id: expect.any(String),
          input: expect.objectContaining({ hook_event_name: 'PreToolUse', tool_name: 'Change' }),
        },
      ],
    });
  });

  it('let a call through if they have no opinion', async () => {
    const client = await changeOnce();
    client.onRequest('hook_callback', () => ({}));
    await client.ask(hooks());
    client.say('Go.');
    await client.result();
    expect(client.ran).toEqual(['it']);
  });

  it.each([
    ['the client answers with an error', (): unknown => new Error('broken'), {}, 'error: broken'],
    [
      'what it says cannot be read',
      (): unknown => ({ decision: 'perhaps' }),
      {},
      '"decision" must be one of "approve", "block", not the string "perhaps"',
    ],
    [
      'the client does not answer in time',
      (): unknown => undefined,
      { timeout: 0.05 },
      'within 0.05 s',
    ],
  ] as const)('deny if %s', async (_what, answer, fields, why) => {
    const client = await changeOnce();
    client.onRequest('hook_callback', answer);
    await client.ask(hooks(fields));
    client.say('Go.');
    await client.result();
    expect({ ran: client.ran, results: client.results }).toEqual({
      ran: [],
      results: [expect.stringContaining(why)],
    });
  });

  it('deny if the client is gone', async () => {
    const client = await changeOnce();
    await client.ask(hooks());
    client.say('Go.');
    client.end();
    await client.result();
    expect({ ran: client.ran, results: client.results }).toEqual({
      ran: [],
      results: [expect.stringContaining('the client is gone')],
    });
  });

  it('deny nothing by a failure if they say onFailure: continue', async () => {
    const client = await changeOnce();
    client.onRequest('hook_callback', () => new Error('broken'));
    await client.ask(hooks({ onFailure: 'continue' }));
    client.say('Go.');
    await client.result();
    expect(client.ran).toEqual(['it']);
  });

  it('answer permission requests', async () => {
    const client = await changeOnce({ options: { permissions: ASK_FIRST } });
    client.onRequest('hook_callback', () => ({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
    }));
    await client.ask(hooks({}, 'PermissionRequest'));
    client.say('Go.');
    await client.result();
    expect(client.ran).toEqual(['it']);
  });

  it('of an unknown event, which could deny, are refused: no prompt is sent', async () => {
    const event = 'NewEvent';
    const client = await changeOnce();
    expect(await client.ask(hooks({}, event))).toEqual({
      subtype: 'error',
      request_id: 'r1',
      error: expect.stringContaining(`"${event}"`),
    });
    client.say('Go.');
    expect(await client.result()).toMatchObject({
      subtype: 'error_during_execution',
      is_error: true,
      errors: [expect.stringContaining(`"${event}"`)],
    });
    client.end();
    await client.input.ended;
    expect(client.requests).toEqual([]);
    expect(client.input.refusal).toContain(event);
  });
});

describe('initialize', () => {
  const plain = () => ({ text: 'Done.' });

  it.each([
    [['You are brief.'], 'You are brief.'],
    [['One.', '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__', 'Two.'], 'One.\n\nTwo.'],
    ['You are brief.', 'You are brief.'],
  ])('takes the system prompt %j', async (systemPrompt, text) => {
    const client = await createClient(plain);
    await client.ask({ subtype: 'initialize', systemPrompt });
    client.say('Go.');
    await client.result();
    expect(client.requests[0]?.system[0]).toBe(text);
  });

  it.each([[['']], ['']])('keeps the usual system prompt for %j', async (systemPrompt) => {
    const client = await createClient(plain);
    await client.ask({ subtype: 'initialize', systemPrompt, appendSystemPrompt: 'Be kind.' });
    client.say('Go.');
    await client.result();
    expect(client.requests[0]?.system[0]).toMatch(/^You are Troupe[^]*\n\nBe kind\.$/);
  });

  it('defines agents, a schema and a title', async () => {
    const client = await createClient(
      ({ origin, messages }) =>
        origin.agentType === 'reviewer'
          ? { text: 'Fine.' }
          : messages.length === 1
            ? {
                tools: [
                  {
                    name: 'Agent',
                    input: {
                      description: 'd',
                      prompt: 'p',
                      subagent_type: 'reviewer',
                      run_in_background: false,
                    },
                  },
                ],
              }
            : { tools: [{ name: 'StructuredOutput', input: { verdict: 'fine' } }] },
      { start: { agent: 'reviewer-in-chief' } },
    );
    const answer = await client.ask({
      subtype: 'initialize',
      agents: {
        reviewer: { description: 'Reviews.', prompt: 'Review.', tools: ['Read'] },
        'reviewer-in-chief': { description: 'Leads.', prompt: 'Lead.' },
      },
      jsonSchema: { type: 'object', properties: { verdict: { type: 'string' } } },
      title: 'Review',
    });
    expect(answer['response']).toMatchObject({
      agents: expect.arrayContaining([{ name: 'reviewer', description: 'Reviews.' }]),
    });
    client.say('Go.');
    expect(await client.result()).toMatchObject({
      subtype: 'success',
      structured_output: { verdict: 'fine' },
    });
    expect(
      client.requests.map(({ origin, system, tools }) => [
        origin.agentType,
        system[0],
        tools.length === 1,
      ]),
    ).toEqual([
      ['reviewer-in-chief', 'Lead.', false],
      ['reviewer', 'Review.', true],
      ['reviewer-in-chief', 'Lead.', false],
    ]);
  });

  it.each([
    [{ skills: 5 }, '"skills"'],
    [{ toolAliases: { Bash: 'mcp__x__y' } }, 'toolAliases'],
    [{ plugins: [{ type: 'local', path: '/x' }] }, 'plugins'],
    [{ planModeInstructions: 'x' }, 'planModeInstructions'],
    [{ futureField: true }, 'futureField'],
    [{ agents: { a: { prompt: 'x' } } }, 'description'],
    [{ agents: { a: { description: 'x', prompt: 'x', guard: 'y' } } }, 'guard'],
    [{ systemPrompt: 7 }, 'systemPrompt'],
    [{ hooks: { PreToolUse: [{ matcher: '(', hookCallbackIds: ['h'] }] } }, 'matcher'],
    [{ hooks: { PreToolUse: [{ hooks: ['h'] }] } }, 'hookCallbackIds'],
    [{ sdkMcpServers: ['a__b'] }, 'a__b'],
    [{ jsonSchema: { type: 'nonsense' } }, 'schema'],
  ])('refuses %j, and every prompt after it', async (fields, word) => {
    const client = await createClient(plain);
    const answer = await client.ask({ subtype: 'initialize', ...fields });
    expect(answer).toMatchObject({ subtype: 'error', error: expect.stringContaining(word) });
    client.say('Go.');
    expect(await client.result()).toMatchObject({ is_error: true, num_turns: 0 });
    expect(client.requests).toEqual([]);
  });

  it('begins the session after a refusal if it asks for less', async () => {
    const client = await createClient(plain);
    await client.ask({ subtype: 'initialize', plugins: [{ type: 'local', path: '/x' }] });
    expect(await client.ask({ subtype: 'initialize' })).toMatchObject({ subtype: 'success' });
    client.say('Go.');
    expect(await client.result()).toMatchObject({ result: 'Done.' });
  });

  it('is answered again if it asks for the same, and refused for anything else', async () => {
    const client = await createClient(plain);
    const request = { subtype: 'initialize', systemPrompt: ['Be brief.'] };
    await client.ask(request);
    expect(await client.ask(request)).toMatchObject({ subtype: 'success' });
    expect(await client.ask({ subtype: 'initialize', hooks: null })).toMatchObject({
      subtype: 'success',
    });
    expect(await client.ask(hooks())).toMatchObject({
      subtype: 'error',
      error: expect.stringContaining('has begun'),
    });
    client.say('Go.');
    expect(await client.result()).toMatchObject({ is_error: true });
    expect(client.requests).toEqual([]);
  });

  it('accepts what has no effect and changes nothing that is safe', async () => {
    const client = await createClient(plain);
    const answer = await client.ask({
      subtype: 'initialize',
      promptSuggestions: true,
      agentProgressSummaries: true,
      excludeDynamicSections: true,
      systemPromptSnapshot: false,
      supportedDialogKinds: ['x'],
      perTaskStopAffordance: true,
      sdkMcpServerManifests: {},
    });
    expect(answer).toMatchObject({ subtype: 'success' });
    expect(client.warnings).toEqual([
      '"agentProgressSummaries" in initialize has no effect.',
      '"promptSuggestions" in initialize has no effect.',
    ]);
  });
});

describe('MCP servers of a client', () => {
  it('are reached by mcp_message', async () => {
    const results: string[] = [];
    const client = await createClient(
      playParts({
        main: [
          { tools: [{ name: 'mcp__echo__say', input: { text: 'hello' } }] },
          ({ messages }) => {
            results.push(...newestResults(messages).map(resultText));
            return { text: 'Done.' };
          },
        ],
      }),
    );
    const said = await serveTools(client);
    await client.ask({ subtype: 'initialize', sdkMcpServers: ['echo'] });
    client.say('Go.');
    await client.result();
    expect({ said, results }).toEqual({ said: ['hello'], results: ['HELLO'] });
    expect(await client.ask({ subtype: 'mcp_status' })).toMatchObject({
      response: { mcpServers: [{ name: 'echo', status: 'connected' }] },
    });
  });

  it.each([
    ['always_deny', false],
    ['always_ask', false],
    ['a new word', false],
    ['always_allow', true],
  ])('have tools with the policy %s', async (policy, runs) => {
    const client = await createClient(
      playParts({
        main: [
          { tools: [{ name: 'mcp__echo__say', input: { text: 'hello' } }] },
          { text: 'Done.' },
        ],
      }),
    );
    const said = await serveTools(client);
    await client.ask({
      subtype: 'initialize',
      sdkMcpServers: ['echo'],
      sdkMcpServerConfigs: { echo: { tools: [{ name: 'say', permission_policy: policy }] } },
    });
    client.say('Go.');
    await client.result();
    expect(said).toEqual(runs ? ['hello'] : []);
  });

  it('ends a call at the timeout of its server', async () => {
    const client = await createClient(
      playParts({
        main: [{ tools: [{ name: 'mcp__slow__say', input: {} }] }, { text: 'Done.' }],
      }),
    );
    client.onRequest('mcp_message', ({ message }) => {
      const { id, method } = message as { readonly id?: number; readonly method: string };
      if (method === 'tools/call') return undefined; // never answered
      const result =
        method === 'initialize'
          ? {
              protocolVersion: '2025-11-25',
              capabilities: { tools: {} },
              serverInfo: { name: 'slow', version: '1' },
            }
          : { tools: [{ name: 'say', inputSchema: { type: 'object' } }] };
      return { mcp_response: { jsonrpc: '2.0', id, result } };
    });
    await client.ask({
      subtype: 'initialize',
      sdkMcpServers: ['slow'],
      sdkMcpServerConfigs: { slow: { timeout: 1_000 } },
    });
    client.say('Go.');
    await client.result();
    expect(client.lines).toContainEqual(
      expect.objectContaining({
        type: 'user',
        message: expect.objectContaining({
          content: [
            expect.objectContaining({
              is_error: true,
              content: expect.stringContaining('gave no answer to say within 1 s'),
            }),
          ],
        }),
      }),
    );
  });
});

describe('a question of an MCP server', () => {
  it('goes to the client, which answers by elicitation', async () => {
    const { server } = createTestServer();
    const results: string[] = [];
    const script = playParts({
      main: [
        {
          tools: [
            {
              name: 'mcp__asking__ask',
              input: { requests: [form('Who?', {}), form('Again?', {})] },
            },
          ],
        },
        ({ messages }) => {
          results.push(...newestResults(messages).map(resultText));
          return { text: 'Done.' };
        },
      ],
    });
    const client = await createClient(script, {
      options: {
        permissions: ALLOW_ALL,
        mcpServers: { asking: { type: 'sdk', name: 'asking', instance: server } },
      },
    });
    const asked: Line[] = [];
    client.onRequest('elicitation', (request) => {
      asked.push(request);
      return asked.length === 1 ? { action: 'accept', content: {} } : { action: 'perhaps' };
    });
    await client.ask({ subtype: 'initialize' });
    client.say('Go.');
    await client.result();
    expect(asked[0]).toEqual({
      subtype: 'elicitation',
      mcp_server_name: 'asking',
      message: 'Who?',
      mode: 'form',
      requested_schema: { type: 'object', properties: {}, required: [] },
    });
    expect(results[0]).toContain('[{"action":"accept","content":{}},{"action":"decline"}]');
    expect(results[0]).toContain('the approver (onElicitation) failed to answer');
  });
});
