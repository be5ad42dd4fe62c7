import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentBlock, Message } from '../../../src/core/messages.js';
import type { ModelRequest, ModelTool } from '../../../src/model/model.js';
import { createBodyBytes } from '../../../src/model/anthropic/to-body-bytes.js';
import { withWholeCharacters } from '../../../src/model/anthropic/whole-characters.js';
import { toRequestBody } from '../../../src/model/anthropic/to-request-body.js';

const text = fc.string({ unit: 'binary', maxLength: 8 });
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('thinking' as const), thinking: text, signature: text }),
  fc.record({ type: fc.constant('redacted_thinking' as const), data: text }),
  fc.record({
    type: fc.constant('tool_use' as const),
    id: text,
    name: text,
    input: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined)),
  }),
  fc.record({ type: fc.constant('tool_result' as const), tool_use_id: text, content: text }),
  fc.record({
    type: fc.constant('opaque' as const),
    raw: fc.record({ type: fc.constant('server_tool_use'), x: text }),
  }),
) as fc.Arbitrary<ContentBlock>;
const message = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.array(block, { maxLength: 3 }),
}) as fc.Arbitrary<Message>;

/** The change of a conversation between two requests. */
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), message }) },
  fc.record({ kind: fc.constant('replace' as const), at: fc.nat(9), message }),
  fc.record({ kind: fc.constant('shorten' as const), to: fc.nat(9) }),
  fc.record({ kind: fc.constant('compact' as const), first: message, keeps: fc.nat(3) }),
  fc.record({ kind: fc.constant('fork' as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** The list stays the same one, except after a compaction and in a fork. */
function apply(messages: Message[], step: Change): Message[] {
  switch (step.kind) {
    case 'append':
      messages.push(step.message);
      return messages;
    case 'replace':
      if (messages.length > 0) messages[step.at % messages.length] = step.message;
      return messages;
    case 'shorten':
      messages.length = Math.min(messages.length, step.to);
      return messages;
    case 'compact':
      return [step.first, ...messages.slice(Math.max(0, messages.length - step.keeps))];
    case 'fork':
      return [...messages];
    default:
      return step satisfies never;
  }
}

const tool: fc.Arbitrary<ModelTool> = fc.record({
  name: text,
  description: text,
  input_schema: fc.constant({ type: 'object' as const }),
});
const settings = fc.record(
  {
    effort: fc.constantFrom('low' as const, 'high' as const),
    thinking: fc.constantFrom(
      { type: 'adaptive' as const },
      { type: 'enabled' as const, budgetTokens: 2_000 },
    ),
  },
  { requiredKeys: [] },
);
const prompt = fc.record({
  system: fc.array(text, { maxLength: 3 }),
  tools: fc.array(tool, { maxLength: 3 }),
});

const whole = (request: ModelRequest): string => JSON.stringify(toRequestBody(request));

describe('the bytes of a request', () => {
  const run = fc.record({
    prompts: fc.array(prompt, { minLength: 1, maxLength: 2 }),
    steps: fc.array(fc.tuple(change, settings, fc.nat(1), fc.nat(100_000)), { maxLength: 25 }),
    mostKeptBytes: fc.constantFrom(0, 60, 300, 1_000_000),
  });

  it('are those of its body, and stay so, whatever becomes of the conversation', () => {
    fc.assert(
      fc.property(run, ({ prompts, steps, mostKeptBytes }) => {
        const toBytes = createBodyBytes(mostKeptBytes);
        const made: { parts: readonly Buffer[]; body: string }[] = [];
        let messages: Message[] = [];
        for (const [step, given, which, maxTokens] of steps) {
          messages = apply(messages, step);
          const { system, tools } = prompts[which % prompts.length]!;
          const origin = { agentId: 'a', agentType: 'b' };
          const request = { model: 'm"', maxTokens, system, tools, messages, origin, ...given };
          made.push({ parts: toBytes(request), body: whole(request) });
        }
        for (const { parts, body } of made) expect(Buffer.concat(parts).toString()).toBe(body);
      }),
    );
  });

  it('have a replacement for each half of a character, which the API refuses', () => {
    const half = 'a \ud83d\ude00 \ud83d b \\ud83d \\\ud83d\ud83d \ude00';
    const said = 'a \ud83d\ude00 \ufffd b \\ud83d \\\ufffd\ufffd \ufffd';
    const make = (words: string): ModelRequest => ({
      model: 'm',
      maxTokens: 1,
      system: [words],
      tools: [{ name: 't', description: words, input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: words }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: words, content: words }] },
      ],
      stopSequences: [words],
      origin: { agentId: 'a', agentType: 'b' },
    });
    const sent = Buffer.concat(createBodyBytes()(make(half))).toString();
    expect(sent).toBe(JSON.stringify(toRequestBody(make(said))));
    expect(withWholeCharacters(toRequestBody(make(half)))).toEqual(toRequestBody(make(said)));
  });

  it('are made of each message twice at most: as the last one, and as an earlier one', () => {
    let count = 0;
    const counted = (name: string): Message => {
      const one = { type: 'text' as const, text: name, toJSON: () => ((count += 1), name) };
      return { role: 'user', content: [{ type: 'text', text: 'x' }, one] };
    };
    const toBytes = createBodyBytes();
    const messages: Message[] = [];
    const request = { model: 'm', maxTokens: 1, system: [], tools: [], messages };
    for (let turn = 0; turn < 50; turn += 1) {
      messages.push(counted(`${turn}`), { role: 'assistant', content: [] });
      toBytes({ ...request, origin: { agentId: 'a', agentType: 'b' } });
    }
    expect(count).toBeLessThanOrEqual(100);
  });
});
