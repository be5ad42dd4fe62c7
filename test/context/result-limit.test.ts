import { describe, expect, it } from 'vitest';
import { limitResult } from '../../src/context/result-limit.js';
import type { ToolResultBlock } from '../../src/core/messages.js';

const image = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'x'.repeat(5_000) },
} as const;

function block(content: ToolResultBlock['content']): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: 'toolu_1', content, is_error: true };
}

/** A store that remembers what it was given. */
function createStore() {
  const stored: string[] = [];
  const store = (text: string) => {
    stored.push(text);
    return Promise.resolve('/out/1.txt');
  };
  return { stored, store };
}

describe('limitResult', () => {
  it('leaves a result within the limit as it is', async () => {
    const { stored, store } = createStore();
    const short = block('x'.repeat(2_000));
    expect(await limitResult(short, 2_000, store)).toBe(short);
    expect(await limitResult(short, Infinity, store)).toBe(short);
    expect(stored).toEqual([]);
  });

  it('puts a path and the first 1,000 characters in place of a longer one', async () => {
    const { stored, store } = createStore();
    const text = `${'a'.repeat(1_000)}${'b'.repeat(1_001)}`;
    expect(await limitResult(block(text), 2_000, store)).toEqual(
      block(`[Full output saved to /out/1.txt]\n<preview>\n${'a'.repeat(1_000)}...\n</preview>`),
    );
    expect(stored).toEqual([text]);
  });

  it('counts the text of all blocks and keeps images', async () => {
    const { stored, store } = createStore();
    const parts = [{ type: 'text', text: 'a'.repeat(600) } as const, image];
    const fits = block(parts);
    expect(await limitResult(fits, 1_000, store)).toBe(fits);
    const limited = await limitResult(
      block([...parts, { type: 'text', text: 'b'.repeat(600) }]),
      1_000,
      store,
    );
    expect(limited).toEqual(
      block([{ type: 'text', text: expect.stringContaining('/out/1.txt') }, image]),
    );
    expect(stored).toEqual([`${'a'.repeat(600)}\n${'b'.repeat(600)}`]);
  });

  it('does not cut a character in half', async () => {
    const { store } = createStore();
    const { content } = await limitResult(
      block(`${'a'.repeat(999)}😀${'b'.repeat(99)}`),
      1_000,
      store,
    );
    expect(content).toContain(`${'a'.repeat(999)}...`);
  });

  it('rejects if the text cannot be stored', async () => {
    const store = () => Promise.reject(new Error('disk full'));
    await expect(limitResult(block('x'.repeat(11)), 10, store)).rejects.toThrow('disk full');
  });
});
