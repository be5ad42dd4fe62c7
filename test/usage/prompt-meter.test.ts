import { describe, expect, it } from 'vitest';
import { textBlock, type AssistantMessage, type Message } from '../../src/core/messages.js';
import { NO_USAGE } from '../../src/core/tasks/usage.js';
import type { ModelTool } from '../../src/model/model.js';
import { createPromptMeter } from '../../src/usage/prompt-meter.js';

const system = ['s'.repeat(1_000)];
const tools: readonly ModelTool[] = [
  { name: 'T', description: 'd'.repeat(937), input_schema: { type: 'object' } }, // 1,000 bytes of JSON
];
const user = (text: string): Message => ({ role: 'user', content: [textBlock(text)] });
const assistant = (text: string): AssistantMessage => ({
  role: 'assistant',
  content: [textBlock(text)],
});
/** Preamble, one tool's frame, half the bytes of system prompt and tools. */
const STATIC = 1_000 + 32 + 1_000;
const FRAMES = 64; // of a message and its block

describe('createPromptMeter', () => {
  it('bounds what nobody has counted: a byte a token in the conversation, two in what is before it', () => {
    const messages = [user('héllo')];
    const meter = createPromptMeter();
    expect(meter.measure({ model: 'm', system, tools, messages }).bound()).toBe(
      STATIC + FRAMES + 6,
    );
    expect(meter.replyTokens()).toBe(0);
  });

  it('takes what the API has counted, and bounds only what came since', () => {
    const messages = [user('x'.repeat(5_000))];
    const meter = createPromptMeter();
    const request = { model: 'm', system, tools, messages };
    const first = meter.measure(request);
    messages.push(assistant('Yes.'), user('More.'));
    first.learn({
      input_tokens: 10,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 1_000,
      output_tokens: 50,
    });
    expect(meter.measure(request).bound()).toBe(1_110 + FRAMES + 4 + FRAMES + 5);
    expect(meter.replyTokens()).toBe(50);
  });

  it('counts a reply as what it was billed for if that is more than its bytes', () => {
    const messages = [user('Think.')];
    const meter = createPromptMeter();
    const request = { model: 'm', system, tools, messages };
    meter.measure(request).learn({ ...NO_USAGE, input_tokens: 500, output_tokens: 9_000 });
    expect(meter.measure(request).bound()).toBe(500); // the same again
    messages.push(assistant('Short.'));
    expect(meter.measure(request).bound()).toBe(500 + 9_000);
  });

  it('bounds only the tools that follow those the API has counted', () => {
    const messages = [user('x'.repeat(5_000))];
    const meter = createPromptMeter();
    const request = { model: 'm', system, tools, messages };
    meter.measure(request).learn({ ...NO_USAGE, input_tokens: 700 });
    const found = { ...tools[0]!, name: 'U' };
    expect(meter.measure({ ...request, tools: [...tools, found] }).bound()).toBe(700 + 32 + 500);
  });

  it.each([
    ['another model', { model: 'other' }],
    ['other tools', { tools: tools.map((tool) => ({ ...tool })) }],
    ['fewer tools', { tools: [] }],
    ['another system prompt', { system: [...system] }],
    ['a conversation that begins anew', { messages: [user('Summary.')] }],
  ])('begins anew with %s', (_, change) => {
    const meter = createPromptMeter();
    const request = { model: 'm', system, tools, messages: [user('Go.')] };
    meter.measure(request).learn({ ...NO_USAGE, input_tokens: 7 });
    expect(meter.measure({ ...request, ...change }).bound()).toBeGreaterThan(1_000);
  });

  it('learns nothing from a request that was not answered', () => {
    const meter = createPromptMeter();
    const request = { model: 'm', system, tools, messages: [user('Go.')] };
    meter.measure(request).learn(NO_USAGE);
    expect(meter.measure(request).bound()).toBe(STATIC + FRAMES + 3);
  });

  it('bounds every kind of block, pictures not by their bytes', () => {
    const source = {
      type: 'base64',
      media_type: 'image/png',
      data: 'A'.repeat(1_000_000),
    } as const;
    const meter = createPromptMeter();
    const bound = (message: Message): number =>
      meter.measure({ model: 'm', system: [], tools: [], messages: [message] }).bound() - 1_032;
    const image = { type: 'image', source } as const;
    expect(bound({ role: 'user', content: [image] })).toBe(32 + 6_000);
    const content = [textBlock('ab'), image];
    expect(
      bound({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content }] }),
    ).toBe(32 + 32 + 2 + 32 + 6_000);
    expect(
      bound({
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'abc', signature: 'defg' },
          { type: 'redacted_thinking', data: 'abcde' },
          { type: 'tool_use', id: 'x', name: 'T', input: { a: 1 } },
          { type: 'opaque', raw: { type: 'x' } },
        ],
      }),
    ).toBe(4 * 32 + 7 + 5 + (1 + 2 * 7) + 12);
  });
});
