import { describe, expect, it } from 'vitest';
import { checkStart, choicesOf } from '../../../../src/actors/sessions/resume/session-choices.js';
import type { SessionStart } from '../../../../src/actors/contract/session-start.js';

const limits = { maxTokens: 8_000 };
const schema = { type: 'object', properties: { a: { type: 'string' } } } as const;
const tool = { name: 'StructuredOutput', description: '', input_schema: schema };

function resumed(tools: readonly (typeof tool)[]) {
  return {
    effort: 'low',
    thinking: { type: 'adaptive' },
    prompt: { system: [], tools },
  } as const;
}

describe('checkStart', () => {
  it.each<[SessionStart, string]>([
    [{ resume: 'x', systemPrompt: 'y' }, 'keeps its system prompt'],
    [{ continues: true, appendSystemPrompt: 'y' }, 'keeps its system prompt'],
    [{ title: ' ' }, 'one line that is not blank'],
    [{ title: 'a\nb' }, 'one line that is not blank'],
    [{ thinking: { type: 'enabled', budgetTokens: 1_023 } }, 'from 1024 to below maxTokens'],
    [{ thinking: { type: 'enabled', budgetTokens: 8_000 } }, 'maxTokens, which is 8000'],
    [{ outputSchema: { type: 'string' } }, 'schema/type must be "object"'],
  ])('refuses %j', (start, message) => {
    expect(() => checkStart(start, limits)).toThrow(message);
  });

  it('takes a new session with all of it', () => {
    const thinking = { type: 'enabled', budgetTokens: 1_024 } as const;
    const start = { systemPrompt: 'a', appendSystemPrompt: 'b', title: 'c', thinking };
    expect(() => checkStart(start, limits)).not.toThrow();
  });
});

describe('choicesOf', () => {
  it('keeps what a session that is continued had', () => {
    expect(choicesOf({}, resumed([tool]))).toEqual({
      effort: 'low',
      thinking: { type: 'adaptive' },
      outputSchema: schema,
    });
    expect(choicesOf({ effort: 'max', outputSchema: schema }, resumed([tool]))).toMatchObject({
      effort: 'max',
      outputSchema: schema,
    });
  });

  it('refuses another schema than the one that it was begun with', () => {
    expect(() => choicesOf({ outputSchema: { type: 'object' } }, resumed([tool]))).toThrow(
      'The session was begun with {"type":"object","properties":{"a":{"type":"string"}}} and keeps that',
    );
    expect(() => choicesOf({ outputSchema: schema }, resumed([]))).toThrow(
      'The session was begun without a schema for its output',
    );
  });
});
