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
