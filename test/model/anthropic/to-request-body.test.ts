import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/core/messages.js';
import { toRequestBody } from '../../../src/model/anthropic/to-request-body.js';

const mark = { cache_control: { type: 'ephemeral' } };

function bodyOf(messages: readonly Message[]) {
  return toRequestBody({
    model: 'm',
    maxTokens: 10,
    system: ['', 'Be terse.'],
    tools: [],
    messages,
    origin: { agentId: 'a0123456789abcdef', agentType: 'worker' },
  });
}

const prompt: Message = { role: 'user', content: [{ type: 'text', text: 'go' }] };

describe('toRequestBody', () => {
  it('leaves out what is empty and never sends sampling parameters', () => {
    expect(bodyOf([prompt])).toEqual({
      model: 'm',
      max_tokens: 10,
      stream: true,
      system: [{ type: 'text', text: 'Be terse.', ...mark }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'go', ...mark }] }],
    });
  });

  it('sends the choice of tools and the texts that end the reply, if a request has them', () => {
    const body = toRequestBody({
      model: 'm',
      maxTokens: 10,
      system: [],
      tools: [],
      messages: [prompt],
      toolChoice: 'any',
      stopSequences: ['STOP'],
      origin: { agentId: 'a0123456789abcdef', agentType: 'worker' },
    });
    expect(body).toMatchObject({ tool_choice: { type: 'any' }, stop_sequences: ['STOP'] });
  });

  it('passes on all messages but the last as they are', () => {
    const answer: Message = { role: 'assistant', content: [{ type: 'text', text: 'ok' }] };
    const body = bodyOf([prompt, answer, prompt]);
    expect(body.messages[0]).toBe(prompt);
    expect(body.messages[1]).toBe(answer);
    expect(prompt.content).toEqual([{ type: 'text', text: 'go' }]);
  });

  it('sends an opaque block as it came', () => {
    const raw = { type: 'server_tool_use', id: 'srv_1', input: {} };
    const body = bodyOf([
      prompt,
      { role: 'assistant', content: [{ type: 'opaque', raw }] },
      prompt,
    ]);
    expect(body.messages[1]?.content).toEqual([raw]);
  });

  it('marks the last block that may carry a mark: thinking may not', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' } as const;
    const text = { type: 'text', text: 'ok' } as const;
    const body = bodyOf([prompt, { role: 'assistant', content: [text, thinking] }]);
    expect(body.messages[1]?.content).toEqual([{ ...text, ...mark }, thinking]);
  });

  it.each([
    [{ type: 'adaptive' }, { type: 'adaptive' }],
    [
      { type: 'enabled', budgetTokens: 2_048 },
      { type: 'enabled', budget_tokens: 2_048 },
    ],
    [{ type: 'disabled' }, { type: 'disabled' }],
  ] as const)('says %j as the API does, and nothing if nothing is set', (thinking, expected) => {
    const request = {
      model: 'm',
      maxTokens: 1,
      system: [],
      tools: [],
      messages: [prompt],
      origin: { agentId: 'a', agentType: 'b' },
    } as const;
    expect(toRequestBody({ ...request, thinking }).thinking).toEqual(expected);
    expect('thinking' in toRequestBody(request)).toBe(false);
  });
});
