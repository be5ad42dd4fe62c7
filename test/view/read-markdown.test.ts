import type { Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { readMarkdown } from '../../src/view/read-markdown.js';

/** How deep tokens are in each other. */
function depthOf(tokens: readonly Token[]): number {
  const inner = tokens.map((token) => {
    const { tokens: below = [], items = [] } = token as { tokens?: Token[]; items?: Token[] };
    return depthOf([...below, ...items]);
  });
  return tokens.length === 0 ? 0 : 1 + Math.max(...inner);
}

const COUNT = 5_000;
const HOSTILE: Readonly<Record<string, string>> = {
  quotes: '>'.repeat(COUNT),
  lists: '1. '.repeat(COUNT),
  'quotes and lists': '> - '.repeat(COUNT),
  emphasis: '*a **b '.repeat(COUNT) + 'c** d*'.repeat(COUNT),
  'emphasis on many lines': '*a\n**b\n'.repeat(COUNT) + 'c**\nd*'.repeat(COUNT),
  'crossed-out text': '~~a *b '.repeat(COUNT) + 'c* d~~'.repeat(COUNT),
  links: `${'[a '.repeat(COUNT)}${'](x)'.repeat(COUNT)}`,
  'emphasis that never ends': '**a*'.repeat(COUNT),
  'words with lines below': '_a'.repeat(COUNT),
};

describe('readMarkdown', () => {
  it('reads quotes, lists and emphasis in each other', () => {
    const [quote] = readMarkdown('> - *a **b***') as [Token];
    expect(quote.type).toBe('blockquote');
    expect(depthOf([quote])).toBe(7);
  });

  for (const [what, text] of Object.entries(HOSTILE))
    it(`reads ${what} without end in a moment, and not deeper than people can see`, () => {
      const from = process.cpuUsage();
      const tokens = readMarkdown(`${text}\n\nThe end.`);
      const { user, system } = process.cpuUsage(from); // other programs do not count
      expect((user + system) / 1_000).toBeLessThan(4_000);
      expect(depthOf(tokens)).toBeLessThan(60);
      expect(tokens.at(-1)?.raw).toBe('The end.');
    });
});
