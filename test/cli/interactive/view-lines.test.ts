import { expect, it } from 'vitest';
import { viewLines } from '../../../src/cli/interactive/view-lines.js';

it('a list is shown whole, without the entry that the first line has', () => {
  const shown = (head: string) =>
    viewLines({ kind: 'list', items: ['a.ts', 'b.ts'] }, head).map(({ text }) => text);
  expect(shown('Glob: a.ts (+1 line)')).toEqual(['    b.ts']);
  expect(shown('TodoWrite: The list now:')).toEqual(['    a.ts', '    b.ts']);
});
