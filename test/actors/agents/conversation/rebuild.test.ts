import { describe, expect, it } from 'vitest';
import { rebuildAgent } from '../../../../src/actors/agents/conversation/rebuild.js';
import type { Reply } from '../../../../src/actors/agents/conversation/reply.js';
import { textBlock, type AssistantBlock } from '../../../../src/core/messages.js';
import { IDLE_STEP, type AgentEntry } from '../../../../src/journal/entries/agent-entries.js';
import { CONTEXT_WINDOW_EXCEEDED } from '../../../../src/machines/agent/agent-failures.js';

const done = (key: string, result: unknown): AgentEntry => ({
  type: 'step.done',
  key,
  result,
  timestamp: 1,
});
const begun = (key: string): AgentEntry => ({ type: 'step.begun', key, timestamp: 1 });
const reply = (content: AssistantBlock, rest: Partial<Reply> = {}): Reply => ({
  message: { role: 'assistant', content: [content] },
  stopReason: 'end_turn',
  ...rest,
});
const prompt = {
  id: 'user/0',
  seq: 0,
  kind: 'prompt',
  from: 'user',
  content: [textBlock('Go.')],
  at: 1,
} as const;
const BEGINNING: readonly AgentEntry[] = [
  { type: 'mail.accepted', envelope: { ...prompt, content: [...prompt.content] }, timestamp: 1 },
  done('turn:0/inbox', [prompt]),
];
const rebuild = (...entries: readonly AgentEntry[]) =>
  rebuildAgent('a', [...BEGINNING, ...entries]);
const TOOL: AssistantBlock = { type: 'tool_use', id: 't', name: 'Change', input: {} };
const CUT = done('turn:1/model', reply(textBlock('More. '), { stopReason: 'max_tokens' }));

describe('an agent that is rebuilt', () => {
  it('continues after a reply that was cut off, but not if it was idle since', () => {
    const next = [done('turn:1/inbox', []), begun('turn:2/model')];
    expect(rebuild(CUT, ...next).continued).toEqual({ continues: 'cut', cuts: 1, text: 'More. ' });
    expect(rebuild(CUT, done(IDLE_STEP, undefined), ...next).continued).toEqual({});
  });

  it('sees to the tools of a reply that broke off, and fails again with one that did not', () => {
    const failure = { code: 'MODEL_STREAM_CUT', message: 'It broke.' };
    const failureOf = (parts: Partial<Reply>): unknown => {
      const { entries } = rebuild(done('turn:1/model', reply(TOOL, parts)), begun('turn:1/tool:t'));
      const model = entries.find((entry) => 'key' in entry && entry.key === 'turn:1/model');
      return (model as { result: Reply } | undefined)?.result.failure?.code;
    };
    expect(failureOf({ failure, stopReason: null })).toBeUndefined();
    expect(failureOf({ failure })).toBe('MODEL_STREAM_CUT');
    const tooLong = { ...failure, code: CONTEXT_WINDOW_EXCEEDED };
    expect(failureOf({ failure: tooLong, stopReason: null })).toBe(CONTEXT_WINDOW_EXCEEDED);
  });

  it('asks again for a use that was to end its turn, unless its result is there', () => {
    const keysOf = (...entries: readonly AgentEntry[]): readonly unknown[] =>
      rebuild(done('turn:1/model', reply(TOOL)), begun('turn:1/tool:t'), ...entries).entries.map(
        (entry) => ('key' in entry ? `${entry.type} ${entry.key}` : entry.type),
      );
    const before = ['step.done turn:0/inbox', 'step.done turn:1/model', 'step.begun turn:1/tool:t'];
    const ends = done('turn:1/tool:t/ends-turn', 'answered');
    const result = done('turn:1/tool:t', { type: 'tool_result', tool_use_id: 't', content: 'x' });
    expect(keysOf(ends)).toEqual(before);
    expect(keysOf(ends, result)).toEqual([
      ...before,
      'step.done turn:1/tool:t/ends-turn',
      'step.done turn:1/tool:t',
    ]);
  });

  it('takes no mail in the middle of a reply that the server has paused', () => {
    const keysOf = (...entries: readonly AgentEntry[]): readonly unknown[] =>
      rebuild(...entries, begun('turn:2/model')).entries.map((entry) =>
        'key' in entry ? entry.key : entry.type,
      );
    const model = (stopReason: string) =>
      done('turn:1/model', reply(textBlock('One'), { stopReason }));
    expect(keysOf(model('max_tokens'), done('turn:1/inbox', []))).toEqual([
      'turn:1/inbox',
      'turn:2/model',
    ]);
    expect(keysOf(model('pause_turn'))).toEqual(['turn:2/model']);
  });
});
