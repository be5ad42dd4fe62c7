import { describe, expect, it } from 'vitest';
import { normalisePath } from '../../../src/permissions/paths/normalise.js';
import { isProtectedPath } from '../../../src/permissions/paths/protected.js';
import { resolveLinksIn } from '../../../src/permissions/paths/resolve-links.js';

describe('following links', () => {
  const links = { '/a': '/b/c', '/b/d': '../x', '/l': 'l', '/r': '/', '/e/f': '.' };

  it.each([
    ['/', '/'],
    ['/a/z', '/b/c/z'],
    ['/a/../z', '/b/z'],
    ['/b/d/z', '/x/z'],
    ['/r/a/z', '/b/c/z'],
    ['/e/f/g', '/e/g'],
    ['/../a', '/b/c'],
    ['//q/./s//', '/q/s'],
    ['/l/z', undefined],
    ['/q\0', undefined],
  ])('takes %j to %j', (path, resolved) => {
    expect(resolveLinksIn(links, path)).toBe(resolved);
  });
});

describe('normalising', () => {
  it('never climbs above the root', () => {
    expect(['/', '//a//b/', '/a/./../..', '/a/b/../c'].map(normalisePath)).toEqual([
      '/',
      '/a/b',
      '/',
      '/a/c',
    ]);
  });
});

describe('protected paths', () => {
  it('count from the workspace that holds them', () => {
    const roots = ['/home/u/.claude/worktrees/w', '/home/u/.cargo/x'];
    const paths = [
      '/home/u/.cargo/x/a',
      '/home/u/.cargo/y',
      '/home/u/.claude/worktrees/w/.git',
      '/home/u/.config/git/a',
      '/home/u/.config/other',
      '/home/u/.bashrc',
    ];
    expect(paths.map((path) => isProtectedPath(path, roots, {}))).toEqual([
      false,
      true,
      true,
      true,
      false,
      true,
    ]);
  });
});
