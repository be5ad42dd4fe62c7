import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/permissions/decide.js';
import { isProtectedPath } from '../../../src/permissions/paths/protected.js';
import { contextOf, decidedOtherwise, pathFacts } from '../corpus.js';

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

  it('ignores case if the file system does', () => {
    const place = { isCaseInsensitive: true } as const;
    expect(spelt.filter((path) => !isProtectedPath(path, ['/p'], place))).toEqual([]);
    expect(plain.filter((path) => isProtectedPath(path, ['/p'], place))).toEqual([]);
  });
});

describe('the notes of an agent', () => {
  const NOTES = '.claude/agent-memory/scribe';
  const written = (path: string, links: Readonly<Record<string, string>> = {}): string =>
    decide(pathFacts('Write', path, links), contextOf({ mode: 'acceptEdits', allow: ['Edit'] }))
      .behavior;

  it('may be written, and nothing else beside, above or below them', () => {
    const files = [
      `${NOTES}/MEMORY.md`,
      '.claude/agent-memory-local/scribe/a.md',
      '.claude/projects/-work/memory/a.md',
    ];
    expect(files.map((file) => written(file))).toEqual(['allow', 'allow', 'allow']);
    const others = [
      `${NOTES}/../../settings.json`,
      `${NOTES}/.claude/settings.json`,
      `${NOTES}/.git/hooks/pre-commit`,
      `${NOTES}/.mcp.json`,
      '.claude/agent-memory-x/a.md',
      '.claude/projects/-work/memory',
      '.claude/projects/-work/a.md',
      '.claude/skills/agent-memory/a.md',
      '.troupe/agent-memory/a.md',
    ];
    expect(others.filter((file) => written(file) !== 'ask')).toEqual([]);
  });

  it('lead to no protected file through a link', () => {
    const links = [
      { '.claude/agent-memory': '.' },
      { '.claude/agent-memory': '..', '.claude/scribe': '/home/u/proj/.claude' },
      { [NOTES]: '..' },
    ];
    const leads = [
      '.claude/agent-memory/settings.json',
      `${NOTES}/.claude/settings.json`,
      `${NOTES}/settings.json`,
    ];
    expect(links.map((link, index) => written(leads[index]!, link))).toEqual(['ask', 'ask', 'ask']);
    const moves = [
      `ln -sf ${NOTES}/a .claude/settings.json`,
      `mv ${NOTES}/a .claude/settings.json`,
      `cp -r ${NOTES}/. .claude`,
      `cd ${NOTES} && cp a ../../settings.json`,
    ];
    expect(decidedOtherwise('ask', moves, { allow: ['Bash'] })).toEqual([]);
  });
});
