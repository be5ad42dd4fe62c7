import { describe, expect, it } from 'vitest';
import { isAllowed, isBlocked } from '../../../src/extensions/plugins/allowed-marketplaces.js';
import type { MarketplaceSource } from '../../../src/extensions/plugins/plugin-state.js';

const github = (repo: string, more: object = {}): MarketplaceSource => ({
  source: 'github',
  repo,
  ...more,
});
const git = (url: string): MarketplaceSource => ({ source: 'git', url });
const folder = (path: string): MarketplaceSource => ({ source: 'directory', path });

describe('strictKnownMarketplaces', () => {
  it.each([
    ['the same repository', github('a/b'), { source: 'github', repo: 'a/b' }, true],
    ['another repository', github('a/c'), { source: 'github', repo: 'a/b' }, false],
    [
      'a ref that the entry lacks',
      github('a/b', { ref: 'v1' }),
      { source: 'github', repo: 'a/b' },
      false,
    ],
    [
      'the same ref',
      github('a/b', { ref: 'v1' }),
      { source: 'github', repo: 'a/b', ref: 'v1' },
      true,
    ],
    ['a repository of the owner', github('a/b'), { source: 'github', repo: 'a/*' }, true],
    ['an owner with a longer name', github('ab/c'), { source: 'github', repo: 'a/*' }, false],
    [
      'a pinned repository of the owner',
      github('a/b', { ref: 'v1' }),
      { source: 'github', repo: 'a/*' },
      false,
    ],
    [
      'a part of a name as a pattern',
      github('a/tools-x'),
      { source: 'github', repo: 'a/tools-*' },
      false,
    ],
    [
      'the address of the same repository',
      git('https://github.com/a/b'),
      { source: 'github', repo: 'a/b' },
      false,
    ],
    [
      'a host',
      git('https://git.example.com/x'),
      { source: 'hostPattern', hostPattern: '^git\\.example\\.com$' },
      true,
    ],
    [
      'a host behind a user',
      git('git@git.example.com:x/y'),
      { source: 'hostPattern', hostPattern: '^git\\.example\\.com$' },
      true,
    ],
    [
      'the host of a user name',
      git('git.example.com@evil.org:x/y'),
      { source: 'hostPattern', hostPattern: '^git\\.example\\.com$' },
      false,
    ],
    [
      'a host, for a folder',
      folder('/opt/git.example.com'),
      { source: 'hostPattern', hostPattern: '.*' },
      false,
    ],
    ['a path', folder('/opt/shop'), { source: 'pathPattern', pathPattern: '^/opt/' }, true],
    ['another path', folder('/home/shop'), { source: 'pathPattern', pathPattern: '^/opt/' }, false],
    ['an invalid pattern', folder('/opt/shop'), { source: 'pathPattern', pathPattern: '(' }, false],
  ])('%s', (_, source, entry, isThere) => {
    expect(isAllowed(source, entry)).toBe(isThere);
  });
});

describe('blockedMarketplaces', () => {
  const entry = { source: 'github', repo: 'Evil/plugins' };
  it.each([
    ['the same repository', github('evil/plugins'), entry, true],
    ['any ref of it', github('evil/plugins', { ref: 'v1' }), entry, true],
    ['another ref', github('evil/plugins', { ref: 'v1' }), { ...entry, ref: 'v2' }, false],
    ['its address', git('https://github.com/evil/plugins.git'), entry, true],
    ['its address with a user', git('git@github.com:evil/plugins'), entry, true],
    ['its address over ssh', git('ssh://git@github.com:22/evil/plugins.git/'), entry, true],
    ['another repository', github('good/plugins'), entry, false],
    ['all of an owner', git('https://www.github.com/EVIL/x'), { ...entry, repo: 'evil/*' }, true],
    ['an owner with a longer name', github('evil2/x'), { ...entry, repo: 'evil/*' }, false],
    [
      'a host',
      git('https://git.evil.test/x'),
      { source: 'hostPattern', hostPattern: 'evil\\.test$' },
      true,
    ],
    ['a folder', folder('/tmp/x'), { source: 'pathPattern', pathPattern: '^/tmp/' }, true],
    ['another folder', folder('/opt/x'), { source: 'pathPattern', pathPattern: '^/tmp/' }, false],
  ])('has %s', (_what, source, blocked, expected) => {
    expect(isBlocked(source, blocked)).toBe(expected);
  });
});
