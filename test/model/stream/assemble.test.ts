import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAssembler } from '../../../src/model/stream/assemble.js';
import type { AssembledBlock } from '../../../src/model/stream/assemble-block.js';
import type { ModelEvent } from '../../../src/model/model.js';

const START: ModelEvent = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    model: 'claude-sonnet-5-5',
    usage: { input_tokens: 7, output_tokens: 1, cache_read_input_tokens: 5 },
  },
};
const STOP: ModelEvent = { type: 'message_stop' };

function block(index: number, start: object, deltas: readonly object[]): readonly ModelEvent[] {
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function toolUse(...json: readonly string[]): readonly ModelEvent[] {
  return block(
    0,
    { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} },
    json.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  );
}

function assemble(events: readonly ModelEvent[]) {
  const assembler = createAssembler();
  const blocks: AssembledBlock[] = [];
  for (const event of events) {
    const assembled = assembler.push(event);
    if (assembled !== undefined) blocks.push(assembled);
  }
  return { assembler, blocks };
}

describe('createAssembler', () => {
  it('hands out each block as its stop event arrives', () => {
    const assembler = createAssembler();
    const returned = [START, ...toolUse('{"a":', '1}'), STOP].map((event) => assembler.push(event));
    const assembled = { block: { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { a: 1 } } };
    expect(returned).toEqual([undefined, undefined, undefined, undefined, assembled, undefined]);
    expect(assembler.isComplete()).toBe(true);
  });

  it('takes the input of the start event if no delta follows', () => {
    const { blocks } = assemble([START, ...toolUse()]);
    expect(blocks[0]?.block).toEqual({ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} });
  });

  it('takes the input of the start event if the deltas hold nothing', () => {
    const { blocks } = assemble([START, ...toolUse(''), STOP]);
    expect(blocks).toEqual([
      { block: { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }, lacksInput: true },
    ]);
  });

  it.each([
    ['{"a": 1', /JSON/],
    [' ', 'it is empty'],
    ['[1]', 'it is another kind of JSON value'],
    ['"text"', 'it is another kind of JSON value'],
  ])('marks the input %j as one that must not run', (json, error) => {
    const { blocks, assembler } = assemble([START, ...toolUse(json), STOP]);
    expect(blocks).toEqual([
      {
        block: { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} },
        invalidInput: {
          kind: 'invalid_json',
          text: json,
          error: expect.stringMatching(error),
        },
      },
    ]);
    expect(assembler.message().content).toEqual([blocks[0]?.block]);
  });

  it('counts nothing for a count that is negative or endless', () => {
    const usage = JSON.parse(
      '{"input_tokens":-7,"output_tokens":1e999,"cache_read_input_tokens":null}',
    );
    const { assembler } = assemble([START, { type: 'message_delta', delta: {}, usage }, STOP]);
    expect(assembler.usage()).toEqual({
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 5,
    });
  });

  it('keeps blocks in the order of the model, whichever ends first', () => {
    const [textStart, textDelta, textStop] = block(0, { type: 'text', text: '' }, [
      { type: 'text_delta', text: 'first' },
    ]);
    const second = block(1, { type: 'redacted_thinking', data: 'xyz' }, []);
    const { assembler } = assemble([START, textStart!, ...second, textDelta!, textStop!, STOP]);
    expect(assembler.message().content).toEqual([
      { type: 'text', text: 'first' },
      { type: 'redacted_thinking', data: 'xyz' },
    ]);
  });

  it('leaves out text that the API would refuse to take back', () => {
    const empty = block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: ' \n' }]);
    const { assembler, blocks } = assemble([START, ...empty, STOP]);
    expect(blocks).toEqual([]);
    expect(assembler.message().content).toEqual([]);
  });

  it('leaves out blocks that never ended', () => {
    const { assembler } = assemble([START, ...toolUse('{}').slice(0, 2)]);
    expect(assembler.message().content).toEqual([]);
    expect(assembler.isComplete()).toBe(false);
  });

  it('keeps a block of an unknown type whole, with what its deltas say', () => {
    const start = { type: 'server_tool_use', id: 'srv_1', name: 'search', citations: ['a'] };
    const { blocks } = assemble([
      START,
      ...block(0, start, [
        { type: 'input_json_delta', partial_json: '{"q":' },
        { type: 'input_json_delta', partial_json: '"x"}' },
        { type: 'citations_delta', citation: 'b' },
        { type: 'text_delta', text: 'found' },
        { type: 'unheard_of_delta' },
      ]),
    ]);
    expect(blocks).toEqual([
      {
        block: {
          type: 'opaque',
          raw: { ...start, input: { q: 'x' }, citations: ['a', 'b'], text: 'found' },
        },
      },
    ]);
  });

  it('counts usage from the start and the cumulative updates', () => {
    const update = (usage: object): ModelEvent => ({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage,
    });
    const { assembler } = assemble([
      START,
      update({ output_tokens: 20, cache_read_input_tokens: null }),
      update({ output_tokens: 30, server_tool_use: { web_search_requests: 2 } }),
      update({ server_tool_use: null }),
      STOP,
    ]);
    expect(assembler.usage()).toEqual({
      input_tokens: 7,
      output_tokens: 30,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 5,
      server_tool_use: { web_search_requests: 2 },
    });
    expect(assembler.stopReason()).toBe('end_turn');
  });

  it('ignores events that it does not know', () => {
    const { assembler } = assemble([{ type: 'ping' }, START, { type: 'news', x: 1 }, STOP]);
    expect(assembler.isComplete()).toBe(true);
  });

  it.each<[string, readonly ModelEvent[]]>([
    ['content_block_start', toolUse()],
    ['message_start', [START, START]],
    ['message_start', [{ type: 'message_start' }]],
    ['content_block_delta', [START, { type: 'content_block_delta', index: 3, delta: {} }]],
    ['content_block_delta', [START, toolUse()[0]!, { type: 'content_block_delta', index: 0 }]],
    ['content_block_stop', [START, ...toolUse(), { type: 'content_block_stop', index: 0 }]],
    ['content_block_start', [START, { type: 'content_block_start', index: 0 }]],
    ['content_block_start', [START, { type: 'content_block_start', content_block: {} }]],
    ['content_block_start', [START, { type: 'content_block_start', index: 1e9 }]],
    ['content_block_start', [START, ...toolUse(), ...toolUse()]],
    ['content_block_start', [START, ...block(0, { type: 'tool_use', name: 'Read' }, [])]],
    ['content_block_delta', [START, ...block(0, { type: 'text' }, [{ type: 'text_delta' }])]],
    ['message_delta', [START, { type: 'message_delta' }]],
    ['message_stop', [START, toolUse()[0]!, STOP]],
    ['message_stop', [START, STOP, STOP]],
  ])('refuses a %s at the wrong place (%#)', (eventType, events) => {
    expect(() => assemble(events)).toThrow(
      expect.objectContaining({
        code: 'MODEL_BAD_ANSWER',
        eventType,
        message: expect.stringContaining(eventType),
      }),
    );
  });

  it.each([
    [
      'text',
      'content_block_delta',
      block(0, { type: 'text' }, [{ type: 'text_delta', text: 'x'.repeat(9_000_000) }]),
    ],
    ['blocks', 'content_block_start', block(0, { type: 'news', x: ['x'.repeat(9_000_000)] }, [])],
  ])('refuses a reply whose %s are longer than max_tokens allow', (_, eventType, events) => {
    const assembler = createAssembler(32_000);
    expect(() => [START, ...events].forEach((event) => assembler.push(event))).toThrow(
      expect.objectContaining({ code: 'MODEL_BAD_ANSWER', eventType }),
    );
  });

  it.each([
    ['a list', '[1]', 'it is another kind of JSON value'],
    [
      'nested 5,000 deep',
      `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      'it is nested more than 500 deep',
    ],
    [
      'nested 200,000 deep',
      `{"a":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`,
      'it is nested more than 500 deep',
    ],
  ])('calls an input that is %s invalid', (_, json, error) => {
    const { blocks } = assemble([START, ...toolUse(json), STOP]);
    expect(blocks).toMatchObject([
      { block: { type: 'tool_use', input: {} }, invalidInput: { kind: 'invalid_json', error } },
    ]);
  });

  it('refuses what is no event at all', () => {
    // An endpoint can send any JSON; the type only promises an object.
    expect(() => createAssembler().push(null as unknown as ModelEvent)).toThrow(/has no type/);
  });

  it('gives the same message however the deltas are split', () => {
    const cut = (text: string, at: readonly number[]): readonly string[] => {
      const places = [
        0,
        ...at.map((n) => n % (text.length + 1)).sort((a, b) => a - b),
        text.length,
      ];
      return places.slice(1).map((end, index) => text.slice(places[index], end));
    };
    const cuts = fc.array(fc.nat(), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.string(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        cuts,
        (text, input, at) => {
          const visible = `.${text}`;
          const json = JSON.stringify(input);
          const tool = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} };
          const { assembler } = assemble([
            START,
            ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
              ...cut(text, at).map((thinking) => ({ type: 'thinking_delta', thinking })),
              { type: 'signature_delta', signature: 'sig' },
            ]),
            ...block(
              1,
              { type: 'text', text: '' },
              cut(visible, at).map((part) => ({ type: 'text_delta', text: part })),
            ),
            ...block(
              2,
              tool,
              cut(json, at).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
            ),
            STOP,
          ]);
          expect(assembler.message().content).toEqual([
            { type: 'thinking', thinking: text, signature: 'sig' },
            { type: 'text', text: visible },
            { ...tool, input: JSON.parse(json) as unknown },
          ]);
        },
      ),
      { numRuns: 100 },
    );
  });
});
