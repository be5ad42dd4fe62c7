import { describe, expect, it } from 'vitest';
import { comparePrefix, isPrefixExtension } from '../../src/testing/compare-prefix.js';

const mark = { cache_control: { type: 'ephemeral' } };
const message = (text: string, more: object = {}) => ({
  role: 'user',
  content: [{ type: 'text', text, ...more }],
});
const body = (messages: readonly object[], more: object = {}) => ({
  system: [{ type: 'text', text: 'sys' }],
  tools: [{ name: 'Read' }],
  messages,
  ...more,
});

describe('comparePrefix', () => {
  it('does not look at cache marks', () => {
    const bodies = [
      body([message('a', mark)]),
      body([message('a'), message('b', mark)]),
      body([message('a'), message('b'), message('c', mark)]),
    ];
    expect(comparePrefix(bodies)).toBeUndefined();
  });

  it('names the first message that differs', () => {
    const bodies = [body([message('a')]), body([message('a')]), body([message('A'), message('b')])];
    expect(comparePrefix(bodies)).toEqual({
      request: 2,
      part: 'messages[0]',
      before: JSON.stringify(message('a')),
      after: JSON.stringify(message('A')),
    });
  });

  it('sees a changed order of keys: bytes count', () => {
    const [first, second] = [
      { role: 'user', content: 'a' },
      { content: 'a', role: 'user' },
    ];
    expect(isPrefixExtension(body([first]), body([second]))).toBe(false);
  });

  it.each([
    ['messages[1]', body([message('a'), message('b')]), body([message('a')])],
    ['tools[1]', body([]), body([], { tools: [{ name: 'Read' }, { name: 'Write' }] })],
    ['tools[0]', body([]), body([], { tools: [] })],
    ['system[0]', body([]), body([], { system: 'other' })],
  ])('sees that %s changed', (part, earlier, later) => {
    expect(comparePrefix([earlier, later])?.part).toBe(part);
  });
});
