import { describe, expect, it } from 'vitest';
import { createReplyReader } from '../../../../src/actors/agents/requests/reply-reader.js';
import { createAssembler } from '../../../../src/model/stream/assemble.js';
import type { ModelEvent } from '../../../../src/model/model.js';

const start: ModelEvent = { type: 'message_start', message: { id: 'm1', usage: {} } };
const stop = { type: 'content_block_stop', index: 0 };
const end: ModelEvent = { type: 'message_stop' };
const stopReason = (reason: string): ModelEvent => ({
  type: 'message_delta',
  delta: { stop_reason: reason },
  usage: {},
});
const text = (said: string): readonly ModelEvent[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
  stop,
];
const thought: readonly ModelEvent[] = [
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
  stop,
];
const toolUse = (index: number, json: string): readonly ModelEvent[] => [
  {
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id: `use${index}`, name: 'Look', input: {} },
  },
  {
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json: json },
  },
  { ...stop, index },
];

/** The results of a reader for these events, in order. */
async function read(...events: readonly ModelEvent[]): Promise<readonly string[]> {
  const log: string[] = [];
  const blocks = {
    hold: ({ type }: { type: string }) => void log.push(`hold ${type}`),
    publish: () => void log.push('publish'),
    dropThoughts: () => void log.push('drop thoughts'),
  };
  const reader = createReplyReader(createAssembler(), blocks, ({ block }) => {
    log.push(`take ${'id' in block ? block.id : block.type}`);
    return Promise.resolve();
  });
  for (const event of [start, ...events]) await reader(event);
  return log;
}

describe('a reply', () => {
  it('holds its text until the end', async () => {
    expect(await read(...text('Hello.'))).toEqual(['hold text']);
    expect(await read(...text('Hello.'), stopReason('end_turn'), end)).toEqual([
      'hold text',
      'publish',
    ]);
  });

  it('has its tool uses taken as soon as they are whole', async () => {
    expect(await read(...toolUse(0, '{"at":"it"}'), ...toolUse(1, '{}'))).toEqual([
      'take use0',
      'take use1',
    ]);
  });

  it('drops its last thoughts if it was stopped short', async () => {
    expect(await read(...thought, stopReason('max_tokens'), end)).toEqual([
      'hold thinking',
      'drop thoughts',
      'publish',
    ]);
  });
});

describe('a tool use with an input that is not whole', () => {
  const cut = toolUse(0, '{"at":"i');

  it('waits for the next event', async () => {
    expect(await read(...cut)).toEqual([]);
    expect(await read(...cut, stopReason('tool_use'))).toEqual([]);
  });

  it('is taken if another block follows: the model wrote it so', async () => {
    expect(await read(...cut, ...toolUse(1, '{}'))).toEqual(['take use0', 'take use1']);
  });

  it('is taken if the reply ends by itself, and never if it was stopped short', async () => {
    expect(await read(...cut, stopReason('tool_use'), end)).toEqual(['take use0', 'publish']);
    expect(await read(...cut, stopReason('max_tokens'), end)).toEqual(['drop thoughts', 'publish']);
  });
});
