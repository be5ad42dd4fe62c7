import { expect, it } from 'vitest';
import { shortenPaths } from '../../../src/cli/output/short-path.js';

const of = (text: string): number => text.length;

it('a path that is too long loses folders at its beginning, and keeps the file and what stands around it', () => {
  const text = 'settings, /home/ada/app/.claude/settings.json:5, waits for trust';
  expect([60, 28, 20, 5].map((width) => shortenPaths(text, width, of))).toEqual([
    text,
    'settings, …/.claude/settings.json:5, waits for trust',
    'settings, …/settings.json:5, waits for trust',
    'settings, …/settings.json:5, waits for trust',
  ]);
});

it('a long word that is no path stays as it is', () => {
  expect(shortenPaths('mcp__a__b /short', 4, of)).toBe('mcp__a__b /short');
});
