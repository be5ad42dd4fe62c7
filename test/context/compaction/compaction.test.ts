import { describe, expect, it } from 'vitest';
import { clip } from '../../../src/context/compaction/render-transcript.js';
import { parseCompactCommand } from '../../../src/context/compaction/compact-command.js';
import { planCompaction } from '../../../src/context/compaction/compose.js';
import { renderTranscript } from '../../../src/context/compaction/render-transcript.js';
import { summaryLimits } from '../../../src/context/compaction/summary-request.js';
import { compactionThreshold, isWindowShort } from '../../../src/context/compaction/window.js';
import { textBlock, type Message } from '../../../src/core/messages.js';
import { contextWindowOf } from '../../../src/model/choice/context-window.js';

/** Half of a character. */
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const user = (text: string): Message => ({ role: 'user', content: [textBlock(text)] });
const use = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/a' } }],
});
const result = (id: string, content: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
});

describe('the window', () => {
  it.each([
    [200_000, 32_000, 168_000],
    [200_000, 8_000, 180_000],
    [200_000, 64_000, 160_000],
  ])('of %d tokens with replies of %d is short from %d on', (contextWindow, maxTokens, from) => {
    expect(compactionThreshold({ contextWindow, maxTokens })).toBe(from);
    const window = { contextWindow, maxTokens, floor: 0 };
    expect(isWindowShort({ ...window, tokens: from })).toBe(true);
    expect(isWindowShort({ ...window, tokens: from - 1 })).toBe(false);
  });

  it('is not short again before it has grown by a twentieth', () => {
    const window = { contextWindow: 1_000, maxTokens: 100, floor: 900 };
    expect(isWindowShort({ ...window, tokens: 949 })).toBe(false);
    expect(isWindowShort({ ...window, tokens: 950 })).toBe(true);
  });

  it('is known by the model, with or without its date', () => {
    expect(contextWindowOf('claude-sonnet-4-5-20250929')).toBe(200_000);
    expect(contextWindowOf('claude-sonnet-4-6')).toBe(1_000_000);
    expect(contextWindowOf('something else')).toBe(200_000);
  });
});

describe('what is compacted', () => {
  const talk = [user('go'), use('a'), result('a', 'one'), use('b'), result('b', 'two')];
  const split = (messages: readonly Message[], isUnanswered = true) =>
    planCompaction(messages, { isUnanswered, contextWindow: 10_000 });

  it('ends before the newest reply, which keeps its results', () => {
    expect(split(talk)).toEqual({ old: talk.slice(0, 3), kept: talk.slice(3) });
  });

  it('is all of it if nothing is to be answered, or the newest exchange is large', () => {
    const rested: readonly Message[] = [...talk, { role: 'assistant', content: [textBlock('x')] }];
    expect(split(rested, false)).toEqual({ old: rested, kept: [] });
    const large = [...talk.slice(0, 4), result('b', 'x'.repeat(20_000))];
    expect(split(large)).toEqual({ old: large, kept: [] });
  });

  it('is nothing if no reply is there', () => {
    expect(split([user('go')])).toBe(undefined);
  });
});

describe('a transcript', () => {
  it('has who said what, and shortens what is long', () => {
    const messages = [user('go'), use('a'), result('a', 'x'.repeat(5_000))];
    const text = renderTranscript(messages, 8_000);
    expect(text).toMatch(
      /^<user>\ngo\n<\/user>\n<tool_use>\nRead \{"file_path":"\/a"\}\n<\/tool_use>\n<tool_result>\nRead: x+\n/,
    );
    expect(text).toContain('characters left out');
    expect(text.length).toBeLessThan(1_500);
  });

  it('keeps the first part and the newest ones if all is too long', () => {
    const messages = Array.from({ length: 50 }, (_, index) => user(`part ${index}`));
    const text = renderTranscript(messages, 300);
    expect(text.length).toBeLessThan(350);
    expect(text).toMatch(/part 0\n[\s\S]*parts left out[\s\S]*part 49/);
  });

  it('is never cut within a character', () => {
    expect(clip('🙂'.repeat(100), 31)).not.toMatch(HALF);
  });
});

describe('a prompt', () => {
  it.each([
    ['/compact', { instructions: undefined }],
    [' /compact  the names \n', { instructions: 'the names' }],
    [[textBlock('/compact')], { instructions: undefined }],
    ['/compacted', undefined],
    ['please /compact', undefined],
    [[textBlock('/compact'), textBlock('x')], undefined],
  ] as const)('%j is a command or none', (text, command) => {
    expect(parseCompactCommand(text)).toEqual(command);
  });
});

describe('the limits of a summary', () => {
  it.each([
    ['a wide window', 200_000, 32_000, { maxTokens: 16_000, maxChars: 549_000 }],
    ['a short reply', 200_000, 4_000, { maxTokens: 4_000, maxChars: 585_000 }],
    ['a narrow window', 8_000, 32_000, { maxTokens: 2_000, maxChars: 15_000 }],
    ['a window of next to nothing', 400, 32_000, { maxTokens: 256, maxChars: 600 }],
  ])('with %s leave room for the material', (_, contextWindow, maxTokens, limits) => {
    expect(summaryLimits({ contextWindow, maxTokens })).toEqual(limits);
  });
});
