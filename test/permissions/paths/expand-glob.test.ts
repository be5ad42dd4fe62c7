import { describe, expect, it } from 'vitest';
import { expandGlob, type GlobEntry } from '../../../src/permissions/paths/expand-glob.js';

/** The links found in a world of directories and what they hold; a name that ends in `@` is a link. */
function linksIn(
  world: Readonly<Record<string, readonly string[]>>,
  path: string,
): readonly string[] | undefined {
  const steps = expandGlob(path);
  let step = steps.next();
  while (step.done !== true) {
    const entries = (world[step.value] ?? []).map((written): GlobEntry => {
      const isLink = written.endsWith('@');
      const isFolder = written.endsWith('/');
      return { name: written.replace(/[@/]$/, ''), isLink, isFolder };
    });
    step = steps.next(entries);
  }
  return step.value?.links;
}

describe('expandGlob', () => {
  const world = {
    '/p': ['a', 'link@', '.hidden@', 'd', 'e'],
    '/p/d': ['x', 'y@'],
    '/p/e': ['y@', 'z'],
    '/p/link': ['y'],
  };

  it.each([
    ['/p/l*', ['/p/link']],
    ['/p/*', ['/p/link']],
    ['/p/?ink', ['/p/link']],
    ['/p/[!a-z]*', ['/p/link']],
    ['/p/.h*', ['/p/.hidden']],
    ['/p/*/y', ['/p/link', '/p/d/y', '/p/e/y']],
    ['/p/d/*', ['/p/d/y']],
    ['/p/*/z', ['/p/link']],
    ['/p/a*', []],
    ['/p/link', []],
    ['/p/l(*', []],
    ['/p/a-b*', []],
  ])('%s stands for the links %j', (path, links) => {
    expect(linksIn(world, path)).toEqual(links);
  });

  it('reads every character of a name', () => {
    const name = 'a-b.c+d{e}(f)$^|[g]';
    expect(linksIn({ '/p': [`${name}@`] }, '/p/a-b.c+d{e}(f)$^|*')).toEqual([`/p/${name}`]);
  });

  it('takes `.*` for the directory above as well', () => {
    expect(linksIn(world, '/p/.*')).toEqual(['/p/..', '/p/.hidden']);
  });

  it('cannot tell what is behind a way back up, an option or too many names', () => {
    const many = Array.from({ length: 20_001 }, (_, index) => `n${index}`);
    expect(linksIn(world, '/p/*/../x')).toBeUndefined();
    expect(linksIn({ '/p': ['--file='] }, '/p/*/x')).toBeUndefined();
    expect(linksIn({ '/p': many }, '/p/*')).toBeUndefined();
  });
});
