import { describe, expect, it } from 'vitest';
import {
  fenced,
  inlineCode,
  plain,
  quoted,
  shortened,
} from '../../../src/cli/headless/markdown-blocks.js';

describe('pieces of Markdown', () => {
  it.each([
    ['a', '```\na\n```'],
    ['a\n', '```\na\n```'],
    ['```\na\n```', '````\n```\na\n```\n````'],
    ['`````', '``````\n`````\n``````'],
  ])('a fence is longer than any in %j', (text, expected) => {
    expect(fenced(text)).toBe(expected);
  });

  it.each([
    ['a', '`a`'],
    ['a`b', '``a`b``'],
    ['`a`', '`` `a` ``'],
  ])('%j is code in a line', (text, expected) => {
    expect(inlineCode(text)).toBe(expected);
  });

  it('takes words for words', () => {
    expect(plain('*a* <b>\n[c](d) `e` #f')).toBe(String.raw`\*a\* \<b\> \[c\](d) \`e\` \#f`);
  });

  it('sets in every line, empty ones too', () => {
    expect(quoted('a\n\nb', 2)).toBe('>> a\n>>\n>> b');
    expect(quoted('a', 0)).toBe('a');
  });

  it('says how much of a long text is missing', () => {
    expect(shortened('ab\ncd\nef', { lines: 2, characters: 100 })).toBe(
      'ab\ncd\n… (3 more characters)',
    );
    expect(shortened('abcdef', { lines: 2, characters: 4 })).toBe('abcd\n… (2 more characters)');
    expect(shortened('ab', { lines: 1, characters: 2 })).toBe('ab');
  });
});
