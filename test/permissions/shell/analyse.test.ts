import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/permissions/decide.js';
import { shellFacts } from '../../../src/permissions/eval/judge-case.js';
import { analyse } from '../../../src/permissions/shell/analyse.js';
import type { SyntaxNode } from '../../../src/permissions/shell/grammar/syntax-node.js';
import { contextOf, parseShell, place } from '../corpus.js';

const MORE_THAN_ONE_WAY = 'it can be read in more than one way';

describe('analyse', () => {
  it('survives whatever it is given', () => {
    const monsters = [
      '"$('.repeat(20_000),
      '('.repeat(50_000),
      '`'.repeat(9_999),
      '${'.repeat(5_000),
      '<<'.repeat(5_000),
      '( '.repeat(4_900),
      '{ '.repeat(4_900),
      'if '.repeat(3_300),
      '! '.repeat(4_900),
    ];
    for (const monster of monsters) {
      expect(analyse(monster, place, parseShell).problem).toBeDefined();
    }
  });

  it('approves nothing without a grammar, and denies all the same', () => {
    const { problem, commands } = analyse('ls', place, undefined);
    expect({ problem, commands }).toEqual({
      problem: 'the grammar of the shell could not be loaded',
      commands: [],
    });
    const judged = (command: string, deny: string[]): string =>
      decide(shellFacts(command, undefined), contextOf({ deny })).behavior;
    expect([judged('ls', []), judged('ls; rm a', ['Bash(rm *)'])]).toEqual(['ask', 'deny']);
  });

  it('approves nothing that the grammar does not parse', () => {
    expect(analyse('ls', place, () => undefined).problem).toBe(MORE_THAN_ONE_WAY);
  });

  it.each<[string, (tree: SyntaxNode) => SyntaxNode]>([
    ['another word', (tree) => mapType(tree, 'word', (node) => ({ ...node, end: node.end - 1 }))],
    ['another type', (tree) => mapType(tree, 'command', (node) => ({ ...node, type: 'x' }))],
    ['a part less', (tree) => ({ ...tree, children: tree.children.slice(0, -1) })],
    ['another operator', (tree) => mapType(tree, ';', (node) => ({ ...node, type: '&&&' }))],
    [
      'a part within a word',
      (tree) => mapType(tree, 'word', (node) => ({ ...node, children: [node] })),
    ],
  ])('approves nothing if the grammar sees %s', (_, change) => {
    const source = 'ls a; pwd';
    const tree = parseShell(source) as SyntaxNode; // nothing is wrong with it
    expect(analyse(source, place, () => tree).problem).toBeUndefined();
    expect(analyse(source, place, () => change(tree)).problem).toBe(MORE_THAN_ONE_WAY);
  });

  it('stops counting files if there are too many, and approves nothing then', () => {
    const names = (prefix: string, count: number): string =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(' ');
    const moves = names('cd d', 1_000).replaceAll(' cd', '; cd');
    const found = [
      `cat ${names('a', 1_500)}`,
      `cd a; cd b; cat ${'a '.repeat(2_900)}`,
      `cd a; cd b; cat ${'a '.repeat(4_000)}`,
      `${moves}; cat $(b)`,
      'ls { '.repeat(2_000),
    ].map((command) => analyse(command, place, parseShell));
    expect(found.map(({ problem, hasUnseenPaths }) => [problem, hasUnseenPaths])).toEqual([
      [undefined, false],
      [undefined, false],
      ['it names too many files', true],
      ['it changes its directory too often', true],
      ['it names too many files', true],
    ]);
    expect(Math.max(...found.map(({ paths }) => paths.length))).toBeLessThan(13_000);
  });

  it('joins lines as a shell does', () => {
    const texts = (command: string): unknown =>
      analyse(command, place, parseShell).commands.map(({ text }) => text);
    expect(texts('l\\\ns a\\\n b')).toEqual(['ls a b']);
    expect(texts("echo 'a\\\nb'")).toEqual(["echo 'a\\\nb'"]);
    expect(texts('echo a\\\\\npwd')).toEqual(['echo a\\\\', 'pwd']);
    expect(texts('ls # a\\\npwd')).toEqual([]); // a comment does not continue, so a person decides
  });
});

function mapType(
  node: SyntaxNode,
  type: string,
  change: (node: SyntaxNode) => SyntaxNode,
): SyntaxNode {
  if (node.type === type) return change(node);
  return { ...node, children: node.children.map((child) => mapType(child, type, change)) };
}
