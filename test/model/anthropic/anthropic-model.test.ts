import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AssistantMessage, Message } from '../../../src/core/messages.js';
import { createAnthropicModel } from '../../../src/model/anthropic/anthropic-model.js';
import { createAssembler } from '../../../src/model/stream/assemble.js';
import { classifyModelError } from '../../../src/model/errors/model-error.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { ModelEndedEarlyError } from '../../../src/model/errors/broken-reply-errors.js';
import { comparePrefix } from '../../../src/testing/compare-prefix.js';
import { eventsOf, type FakeReply, type StreamFault } from '../../../src/testing/fake-reply.js';
import {
  createFakeMessagesApi,
  type FakeMessagesApi,
} from '../../../src/testing/fake-messages-api.js';

let api: FakeMessagesApi | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await api?.close();
  api = undefined;
});

const READ_TOOL = { name: 'Read', description: 'reads', input_schema: { type: 'object' } } as const;
const BASH_TOOL = { name: 'Bash', description: 'runs', input_schema: { type: 'object' } } as const;

function requestOf(messages: readonly Message[]): ModelRequest {
  return {
    model: 'claude-sonnet-5-5',
    maxTokens: 1_000,
    system: ['You are terse.', 'Today is Friday.'],
    tools: [BASH_TOOL, READ_TOOL],
    messages,
    origin: { agentId: 'a0123456789abcdef', agentType: 'worker' },
  };
}

const PROMPT: Message = { role: 'user', content: [{ type: 'text', text: 'Read it.' }] };

/** The answer to `PROMPT`, put together, and what was thrown on the way. */
async function ask(
  replies: readonly FakeReply[],
  signal: AbortSignal = new AbortController().signal,
  apiKey = 'test-key',
) {
  api = await createFakeMessagesApi({ replies });
  const model = createAnthropicModel({ baseURL: api.url, apiKey, timeoutMs: 2_000 });
  const assembler = createAssembler();
  try {
    const events = await model.stream(requestOf([PROMPT]), { signal });
    for await (const event of events) assembler.push(event);
    if (!assembler.isComplete()) throw new ModelEndedEarlyError();
    return { assembler, error: undefined };
  } catch (error) {
    return { assembler, error };
  }
}

/** The key of the global value that a program that collects traces sets. */
const OPEN_TELEMETRY = Symbol.for('opentelemetry.js.api.1');

const ECHO = { type: 'api_error', message: 'bad key the-secret-key' };

const REPLY = {
  thinking: 'They want the file.',
  text: 'I read it.',
  tools: [
    { name: 'Read', input: { file_path: '/tmp/a' } },
    { name: 'Bash', input: { command: 'true' } },
    { name: 'Bash', input: { command: 'false' } },
  ],
};

describe('createAnthropicModel', () => {
  it('streams thinking, text and tool uses', async () => {
    const { assembler, error } = await ask([REPLY]);
    expect(error).toBeUndefined();
    expect(assembler.message()).toEqual({
      role: 'assistant',
      content: [
        {
          type: 'thinking',
          thinking: 'They want the file.',
          signature: 'scripted-msg_fake_0-0',
        },
        { type: 'text', text: 'I read it.' },
        {
          type: 'tool_use',
          id: 'toolu_fake_0_0',
          name: 'Read',
          input: { file_path: '/tmp/a' },
        },
        { type: 'tool_use', id: 'toolu_fake_0_1', name: 'Bash', input: { command: 'true' } },
        { type: 'tool_use', id: 'toolu_fake_0_2', name: 'Bash', input: { command: 'false' } },
      ],
    });
    expect(assembler.stopReason()).toBe('tool_use');
    expect(assembler.model()).toBe('claude-sonnet-5-5');
    expect(assembler.messageId()).toBe('msg_fake_0');
    expect(assembler.usage().input_tokens).toBe(10);
    expect(assembler.usage().output_tokens).toBeGreaterThan(10);
  });

  it('signs with a key, or with a token if there is no key', async () => {
    api = await createFakeMessagesApi({ handler: () => ({ text: 'hi' }), apiKey: 'the-token' });
    const env = { ANTHROPIC_AUTH_TOKEN: 'the-token', ANTHROPIC_BASE_URL: api.url };
    const { signal } = new AbortController();
    await createAnthropicModel({ env }).stream(requestOf([PROMPT]), { signal });
    expect(api.requests[0]?.headers.authorization).toBe('Bearer the-token');
  });

  it('leaves the console to the program, also if a model is deprecated', async () => {
    const said: unknown[] = [];
    vi.spyOn(console, 'warn').mockImplementation((...words) => void said.push(words));
    api = await createFakeMessagesApi({ replies: [REPLY] });
    const model = createAnthropicModel({ baseURL: api.url, apiKey: 'test-key' });
    const request = { ...requestOf([PROMPT]), model: 'claude-sonnet-4-5' };
    const events = await model.stream(request, { signal: new AbortController().signal });
    for await (const event of events) expect(event.type).toEqual(expect.any(String));
    expect(said).toEqual([]);
    expect(api.requests.map(({ body }) => body.model)).toEqual(['claude-sonnet-4-5']);
    expect(api.problems).toEqual([]);
  });

  it('names the variables if there is neither key nor token', () => {
    expect(() => createAnthropicModel({ env: { ANTHROPIC_API_KEY: '' } })).toThrow(
      expect.objectContaining({
        code: 'MODEL_AUTH_MISSING',
        message: expect.stringMatching(
          /Set ANTHROPIC_API_KEY \(or ANTHROPIC_AUTH_TOKEN\), or give createOrchestrator a `model`\./,
        ),
      }),
    );
  });

  it('says that the OAuth token of Claude Code is not used', () => {
    expect(() => createAnthropicModel({ env: { CLAUDE_CODE_OAUTH_TOKEN: 'sk-oat' } })).toThrow(
      expect.objectContaining({
        code: 'MODEL_AUTH_MISSING',
        message: expect.stringMatching(/CLAUDE_CODE_OAUTH_TOKEN has no effect(?!.*sk-oat)/),
      }),
    );
  });

  it.each([
    ['CLAUDE_CODE_USE_BEDROCK', '1'],
    ['CLAUDE_CODE_USE_VERTEX', 'true'],
    ['CLAUDE_CODE_USE_FOUNDRY', 'TRUE'],
    ['CLAUDE_CODE_USE_MANTLE', ' on '],
    ['CLAUDE_CODE_USE_ANTHROPIC_AWS', 'yes'],
  ])('refuses %s=%s, with and without a key', (variable, value) => {
    for (const key of [{}, { ANTHROPIC_API_KEY: 'test-key' }])
      expect(() => createAnthropicModel({ env: { ...key, [variable]: value } })).toThrow(
        expect.objectContaining({
          code: 'MODEL_PROVIDER_UNSUPPORTED',
          variable,
          message: expect.stringMatching(
            new RegExp(`^${variable} .*Messages API.*Unset ${variable}.*ANTHROPIC_BASE_URL`),
          ),
        }),
      );
  });

  it.each(['', '0', 'false', 'No', 'off'])('takes CLAUDE_CODE_USE_BEDROCK="%s" as off', (value) => {
    const env = { ANTHROPIC_API_KEY: 'test-key', CLAUDE_CODE_USE_BEDROCK: value };
    expect(createAnthropicModel({ env })).toHaveProperty('stream');
  });

  it.each([
    ['ANTHROPIC_API_KEY', 'sk-SECRET\nkey'],
    ['ANTHROPIC_API_KEY', 'sk-SECRET\u2026key'],
    ['ANTHROPIC_AUTH_TOKEN', 'sk-SECRET\0key'],
    ['ANTHROPIC_AUTH_TOKEN', 'sk-SECRET\u007fkey'],
  ])('refuses an %s that no header can carry, without showing it', (name, value) => {
    expect(() => createAnthropicModel({ env: { [name]: value } })).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringMatching(new RegExp(`^${name} (?!.*SECRET)`, 's')),
      }),
    );
  });

  it.each([
    ['an answer', { status: 400, body: '{"error":{"message":"bad key the-secret-key"}}' }],
    ['a body that is no JSON', { status: 400, body: '<p>the-secret-key</p>' }],
    ['a stream', { events: [], fault: { kind: 'error', afterEvents: 0, error: ECHO } as const }],
  ])('takes the key out of %s that echoes it', async (_, reply) => {
    const { error } = await ask([reply], undefined, 'the-secret-key');
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('the-secret-key');
    expect(classifyModelError(error).message).toContain('[hidden]');
  });

  it('calls a page that answers instead of the model fatal', async () => {
    const page = '<html><body>Please log in.</body></html>';
    const headers = { 'content-type': 'text/html' };
    const { error } = await ask([{ status: 200, headers, body: page }]);
    expect(classifyModelError(error)).toEqual({
      kind: 'fatal',
      code: 'MODEL_NOT_A_STREAM',
      message: expect.stringMatching(/"text\/html".*ANTHROPIC_BASE_URL/),
    });
  });

  it('calls a stream without an event worth a retry', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const { error } = await ask([{ status: 200, headers, body: '' }]);
    expect(classifyModelError(error)).toMatchObject({ kind: 'retry', code: 'MODEL_ENDED_EARLY' });
  });

  it.each(['localhost:8080', 'ftp://x', 'no address'])('refuses the base URL %s', (baseURL) => {
    expect(() => createAnthropicModel({ apiKey: 'k', baseURL })).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(baseURL) }),
    );
  });

  it.each(['https://gateway.example/?team=docs', 'https://gateway.example/v1#top'])(
    'refuses the base URL %s, which no path can be appended to',
    (baseURL) => {
      expect(() => createAnthropicModel({ apiKey: 'k', baseURL })).toThrow(
        expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(baseURL) }),
      );
    },
  );

  it('refuses a base URL with a password, and does not repeat it', () => {
    const baseURL = 'https://ada:a-password@gateway.example';
    expect(() => createAnthropicModel({ apiKey: 'k', baseURL })).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message:
          'ANTHROPIC_BASE_URL has a user name or a password, which requests cannot have there. Give them as a header, in ANTHROPIC_CUSTOM_HEADERS.',
      }),
    );
  });

  it('marks the last tool, system block and message on every request, and nothing else', async () => {
    api = await createFakeMessagesApi({ replies: [REPLY, { text: 'Done.' }] });
    const model = createAnthropicModel({ baseURL: api.url, apiKey: 'k' });
    model.warmUp();
    const { signal } = new AbortController();
    const assembler = createAssembler();
    for await (const event of await model.stream(requestOf([PROMPT]), { signal })) {
      assembler.push(event);
    }
    const answer: AssistantMessage = assembler.message();
    const results: Message = {
      role: 'user',
      content: answer.content.flatMap((block) =>
        block.type === 'tool_use'
          ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'ok' }]
          : [],
      ),
    };
    await model.stream(requestOf([PROMPT, answer, results]), { signal });

    const mark = { cache_control: { type: 'ephemeral' } };
    const [first, second] = api.requests.map(({ body }) => body);
    expect(first).toEqual({
      model: 'claude-sonnet-5-5',
      max_tokens: 1_000,
      stream: true,
      system: [
        { type: 'text', text: 'You are terse.' },
        { type: 'text', text: 'Today is Friday.', ...mark },
      ],
      tools: [BASH_TOOL, { ...READ_TOOL, ...mark }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Read it.', ...mark }] }],
    });
    expect(second?.messages).toEqual([
      PROMPT,
      answer,
      {
        role: 'user',
        content: results.content.map((block, index) =>
          index === 2 ? { ...block, ...mark } : block,
        ),
      },
    ]);
    expect(api.problems).toEqual([]);
    expect(comparePrefix([first, second])).toBeUndefined();
  });

  it.each([408, 409, 429, 500, 502, 503, 504, 529])(
    'calls status %i worth a retry',
    async (status) => {
      const { error } = await ask([{ status, headers: { 'retry-after': '7' } }]);
      expect(classifyModelError(error)).toMatchObject({
        kind: 'retry',
        status,
        retryAfterMs: 7_000,
      });
      expect(api?.requests).toHaveLength(1); // the client itself did not try again
    },
  );

  it.each([
    [400, 'MODEL_BAD_REQUEST', /broken/],
    [401, 'MODEL_AUTH_REFUSED', /broken.*ANTHROPIC_API_KEY/],
    [403, 'MODEL_FORBIDDEN', /--model/],
    [404, 'MODEL_NOT_FOUND', /ANTHROPIC_BASE_URL/],
    [413, 'MODEL_REQUEST_TOO_LARGE', /too large/],
  ])('calls status %i fatal and says what would work', async (status, code, message) => {
    const { error } = await ask([{ status, error: { type: 'some_error', message: 'broken' } }]);
    expect(classifyModelError(error)).toEqual({
      kind: 'fatal',
      code,
      status,
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['overloaded_error', 'retry', 'MODEL_OVERLOADED'],
    ['rate_limit_error', 'retry', 'MODEL_RATE_LIMITED'],
    ['api_error', 'retry', 'MODEL_SERVER_ERROR'],
    ['invalid_request_error', 'fatal', 'MODEL_BAD_REQUEST'],
    ['authentication_error', 'fatal', 'MODEL_AUTH_REFUSED'],
  ])('takes an %s event in mid-stream as %s', async (type, kind, code) => {
    const fault = { kind: 'error', afterEvents: 4, error: { type, message: 'so it is' } } as const;
    const { error, assembler } = await ask([{ ...REPLY, fault }]);
    expect(classifyModelError(error)).toMatchObject({
      kind,
      code,
      message: `The model's answer broke off with ${type}: so it is`,
    });
    expect(assembler.isComplete()).toBe(false);
  });

  const events = eventsOf(REPLY);
  describe.each(['cut', 'end', 'error'] as const)('a reply with the fault "%s"', (kind) => {
    it.each(events.map((event, index) => [index, event.type] as const))(
      'at event %i (%s) is worth a retry, and its complete blocks stay',
      async (afterEvents) => {
        const fault: StreamFault = { kind, afterEvents };
        const { error, assembler } = await ask([{ ...REPLY, fault }]);
        const isStopped = (event: { type: string }) => event.type === 'content_block_stop';
        const complete = events.slice(0, afterEvents).filter(isStopped).length;
        expect(classifyModelError(error).kind).toBe('retry');
        expect(assembler.isComplete()).toBe(false);
        expect(assembler.message().content).toHaveLength(complete);
      },
    );
  });

  it('calls a connection that is reset worth a retry', async () => {
    const { error } = await ask([{ connection: 'reset' }]);
    expect(classifyModelError(error)).toMatchObject({ kind: 'retry', code: 'MODEL_UNREACHABLE' });
  });

  it('calls an endpoint that is not there worth a retry, and names the variable', async () => {
    const gone = await createFakeMessagesApi();
    await gone.close();
    const model = createAnthropicModel({ baseURL: gone.url, apiKey: 'k' });
    const { signal } = new AbortController();
    const error: unknown = await model
      .stream(requestOf([PROMPT]), { signal })
      .catch((reason: unknown) => reason);
    expect(classifyModelError(error)).toMatchObject({
      kind: 'retry',
      code: 'MODEL_UNREACHABLE',
      message: expect.stringMatching(/ECONNREFUSED.*ANTHROPIC_BASE_URL/),
    });
  });

  it('calls an endpoint that never answers a time-out, and names a proxy that is not used', async () => {
    api = await createFakeMessagesApi({ replies: [{ connection: 'silent' }] });
    const env = { http_proxy: 'http://proxy.example:8080' };
    const model = createAnthropicModel({ baseURL: api.url, apiKey: 'k', timeoutMs: 20, env });
    const { signal } = new AbortController();
    const error: unknown = await model
      .stream(requestOf([PROMPT]), { signal })
      .catch((reason: unknown) => reason);
    expect(classifyModelError(error)).toMatchObject({
      kind: 'retry',
      code: 'MODEL_TIMEOUT',
      message: expect.stringMatching(
        /Request timed out\. http_proxy is set, but Troupe does not use it\./,
      ),
    });
  });

  it('hangs up when the signal is aborted in mid-stream', async () => {
    const controller = new AbortController();
    api = await createFakeMessagesApi({
      replies: [{ ...REPLY, fault: { kind: 'stall', afterEvents: 4 } }],
    });
    const model = createAnthropicModel({ baseURL: api.url, apiKey: 'k' });
    const stream = await model.stream(requestOf([PROMPT]), { signal: controller.signal });
    const seen: string[] = [];
    for await (const event of stream) {
      seen.push(event.type);
      if (seen.length === 4) controller.abort();
    }
    expect(seen).toHaveLength(4);
    expect(await api.requests[0]?.closed).toBe('hung up');
    expect(classifyModelError(new ModelEndedEarlyError(), controller.signal).kind).toBe('abort');
  });

  it('rejects with an abort when the signal is aborted before the first byte', async () => {
    const controller = new AbortController();
    api = await createFakeMessagesApi({ replies: [{ connection: 'silent' }] });
    void api.request(0).then(() => controller.abort());
    const model = createAnthropicModel({ baseURL: api.url, apiKey: 'k' });
    const error: unknown = await model
      .stream(requestOf([PROMPT]), { signal: controller.signal })
      .catch((reason: unknown) => reason);
    expect(classifyModelError(error).kind).toBe('abort');
  });

  it('calls an answer that is no Messages API reply worth a retry', async () => {
    const { error } = await ask([{ events: [{ type: 'content_block_stop', index: 0 }] }]);
    expect(classifyModelError(error)).toMatchObject({ kind: 'retry', code: 'MODEL_BAD_ANSWER' });
  });

  it('makes a span for a request if a program collects traces', async () => {
    const told: unknown[] = [];
    const span: object = new Proxy(
      {},
      {
        get: (_, name) =>
          name === 'spanContext'
            ? () => ({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 })
            : (...given: readonly unknown[]) => {
                told.push([name, ...given]);
                return span;
              },
      },
    );
    const tracer = { startSpan: (name: string) => (told.push(name), span) };
    Object.assign(globalThis, {
      [OPEN_TELEMETRY]: { version: '1.99.0', trace: { getTracer: () => tracer } },
    });
    try {
      expect((await ask([REPLY])).error).toBeUndefined();
    } finally {
      Reflect.deleteProperty(globalThis, OPEN_TELEMETRY);
    }
    expect(told[0]).toBe('anthropic.messages.create');
    expect(told).toContainEqual(['setAttribute', 'http.response.status_code', 200]);
    expect(told.at(-1)).toEqual(['end']);
  });
});
