import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePathPattern } from '../../../src/permissions/paths/path-pattern.js';
import { place } from '../corpus.js';

function matches(
  pattern: string,
  path: string,
): { readonly allow: boolean; readonly deny: boolean } {
  return {
    allow: compilePathPattern(pattern, 'allow').matches(path, place),
    deny: compilePathPattern(pattern, 'deny').matches(path, place),
  };
}

const both = { allow: true, deny: true };
const neither = { allow: false, deny: false };
const strictOnly = { allow: false, deny: true };

describe('a path pattern', () => {
  it('matches a path in several folders as it matches the path in each of them', () => {
    const name = fc.constantFrom(
      'a',
      'b',
      '.env',
      'proj',
      'home',
      'u',
      '*',
      '**',
      '[ab]',
      'ſ',
      'S',
    );
    const names = fc.array(name, { maxLength: 4 }).map((parts) => parts.join('/'));
    const anchor = fc.constantFrom('//', '~/', '/', './', '', '//home/u/', '//home/u/proj/');
    const folder = fc
      .tuple(fc.constantFrom('/home/u/proj', '/home/u', '/home', '/mnt', ''), names)
      .map(([base, rest]) => `${base}/${rest}`.replace(/^\/+|\/+$/g, ''))
      .filter((text) => text !== '')
      .map((text) => `/${text}`);
    const behavior = fc.constantFrom('allow' as const, 'deny' as const);
    const at = fc.constantFrom(
      place,
      { ...place, isCaseInsensitive: true as const },
      { ...place, cwd: '/home/u/proj/a', outerRoots: ['/mnt'] },
    );
    fc.assert(
      fc.property(
        fc.tuple(anchor, names).map((parts) => parts.join('')),
        behavior,
        at,
        fc.array(folder, { maxLength: 4 }),
        fc.array(names, { minLength: 1, maxLength: 4 }),
        (text, which, where, folders, paths) => {
          const pattern = compilePathPattern(text, which);
          const matchesIn = pattern.matcherIn(folders, where);
          const inEach = (path: string): boolean =>
            folders.some((one) => pattern.matches(path === '' ? one : `${one}/${path}`, where));
          expect(paths.map(matchesIn)).toEqual(paths.map(inEach));
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['//etc/**', '/etc/a/b', both],
    ['//etc/*', '/etc/a/b', neither],
    ['~/notes/*.md', '/home/u/notes/a.md', both],
    ['~/notes/*.md', '/home/v/notes/a.md', neither],
    ['/src/**', '/home/u/proj/src/a/b.ts', both],
    ['/src/**', '/home/u/proj/src', both],
    ['/src/**', '/home/u/proj/lib/src/a', neither],
    ['src/**', '/home/u/proj/lib/src/a', strictOnly],
    ['./src/**', '/home/u/proj/lib/src/a', neither],
    ['src/a/**', '/home/u/proj/lib/src/a/b', neither],
    ['src/', '/home/u/proj/src/a', both],
    ['**/x/**/y', '/home/u/proj/x/y', both],
    ['**/x/**/y', '/home/u/proj/a/x/b/c/y', both],
    ['.env', '/home/u/proj/a/.env', both],
    ['.env', '/home/u/proj/.environment', neither],
    ['.env', '/home/u/.env', neither],
    ['*.pem', '/home/u/proj/a/b.pem', both],
    ['./.env', '/home/u/proj/a/.env', neither],
    ['secrets', '/home/u/proj/a/secrets/b', strictOnly],
    ['a?c', '/home/u/proj/abc', both],
    ['a?c', '/home/u/proj/a/c', neither],
    ['/[ab].ts', '/home/u/proj/a.ts', strictOnly],
    ['/[ab].ts', '/home/u/proj/[ab].ts', both],
    ['/a.c', '/home/u/proj/abc', neither],
    ['/../x', '/home/u/x', neither],
    ['/src/../lib/**', '/home/u/proj/lib/a', both],
    ['**', '/home/u/proj/a/b', both],
    ['/[z-a]', '/home/u/proj/z', neither],
  ])('%s against %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toEqual(expected);
  });
});

describe('if the file system takes A for a', () => {
  const insensitive = { ...place, isCaseInsensitive: true } as const;

  it.each([
    ['.env', '/home/u/proj/.ENV'],
    ['/Secrets/**', '/home/u/proj/secrets/a'],
    ['~/.ssh/**', '/HOME/u/.SSH/id'],
    ['//etc/[A-C]*', '/ETC/bashrc'],
    ['caf\u00e9.txt', '/home/u/proj/cafe\u0301.txt'],
    ['/\u017fecret', '/home/u/proj/SECRET'],
  ])('a rule that denies %s covers %s, one that allows does not', (pattern, path) => {
    expect(compilePathPattern(pattern, 'deny').matches(path, insensitive)).toBe(true);
    expect(compilePathPattern(pattern, 'deny').matches(path, place)).toBe(false);
    expect(compilePathPattern(pattern, 'allow').matches(path, insensitive)).toBe(false);
  });

  it('a rule that denies finds the names below a folder in any case', () => {
    const names = compilePathPattern('/Secrets/*.pem', 'deny').namesBelow(
      '/home/u/proj/SECRETS',
      insensitive,
    );
    expect(names).toEqual(['*.pem']);
  });
});
