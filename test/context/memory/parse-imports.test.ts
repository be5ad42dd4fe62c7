import { describe, expect, it } from 'vitest';
import { parseImports } from '../../../src/context/memory/parse-imports.js';

describe('parseImports', () => {
  it.each([
    ['See @README.md and @docs/a.md.', ['README.md', 'docs/a.md']],
    ['@one.md\n- @~/two.md\n- (@/three.md)', ['one.md', '~/two.md', '/three.md']],
    ['@a.md, @a.md', ['a.md']],
    ['mail me@example.com', []],
    ['`@a.md` and ``x ` @b.md`` @c.md', ['c.md']],
    ['`over\n@a.md two lines` @b.md', ['b.md']],
    ['an odd ` mark\n\n@a.md `', ['a.md']],
    ['```\n@a.md\n```\n@b.md', ['b.md']],
    ['~~~sh\n@a.md\n```\n@b.md\n~~~\n@c.md', ['c.md']],
    ['````\n```\n@a.md\n```\n````\n@b.md', ['b.md']],
    ['```\n@a.md that never ends', []],
    ['1. list\n   ```\n   @a.md\n   ```\n@b.md', ['b.md']],
    ['<!-- @a.md\n@b.md --> @c.md', ['c.md']],
    ['@', []],
    ['@... @!', []],
  ])('finds in %j', (text, paths) => {
    expect(parseImports(text)).toEqual(paths);
  });

  it('is quick with marks that never pair', () => {
    const text = '` `` ``` '.repeat(4_000);
    const startedAt = performance.now();
    parseImports(text);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
