import { describe, expect, it } from 'vitest';
import { isProtectedPath } from '../../../src/permissions/paths/protected.js';

describe('isProtectedPath', () => {
  const spelt = [
    '/p/.GIT/config',
    '/p/.Npmrc',
    '/p/.\u017f\u017fh/id',
    '/p/.CLAUDE/x',
    '/p/.g\u200cit/hooks',
    '/p/.git./hooks',
  ];
  const plain = ['/p/git/config', '/p/.CLAUDE/WorkTrees/a'];

  it('takes names as they are written', () => {
    expect([...spelt, '/p/.git/config'].map((path) => isProtectedPath(path, ['/p'], {}))).toEqual([
      ...spelt.map(() => false),
      true,
    ]);
  });

  it('does not look at case where the file system does not', () => {
    const place = { isCaseInsensitive: true } as const;
    expect(spelt.filter((path) => !isProtectedPath(path, ['/p'], place))).toEqual([]);
    expect(plain.filter((path) => isProtectedPath(path, ['/p'], place))).toEqual([]);
  });
});
