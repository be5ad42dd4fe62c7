import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/permissions/decide.js';
import { pathsToOverwrite, withOtherNames } from '../../../src/permissions/facts/hard-links.js';
import type { GlobMatches } from '../../../src/permissions/paths/expand-glob.js';
import { withResolvedPaths } from '../../../src/permissions/facts/resolve-target.js';
import { contextOf, shellFacts } from '../corpus.js';

const NO_MATCHES: GlobMatches = { links: [], names: [] };
const project = '/home/u/proj';

function overwritten(command: string, matchesOf = (_: string): GlobMatches => NO_MATCHES) {
  const { target } = shellFacts(command);
  if (target === undefined) throw new Error('a command line has a target');
  const { files, trees } = pathsToOverwrite(target, matchesOf);
  return { files: [...new Set(files)].sort(), trees: [...new Set(trees)].sort() };
}

describe('what a command line overwrites', () => {
  it.each([
    ['echo x > a', ['a'], []],
    ['echo x >> a 2> b', ['a', 'b'], []],
    ['cat < a', [], []],
    ['cp a b', ['b', 'b/a'], []],
    ['cp -r a b', ['b'], ['b/a']],
    ['echo | tee -a a b', ['a', 'b'], []],
    ['dd if=a of=b', ['b'], []],
    ["sed -i.bak 's/a/b/' a", [], []],
    ['rm a', [], []],
    ['mv a b && echo x > b', ['b', 'b/a'], ['a']],
  ])('%s: the files %j and all in %j', (command, files, trees) => {
    const absolute = (names: readonly string[]) => names.map((name) => `${project}/${name}`);
    expect(overwritten(command)).toEqual({ files: absolute(files), trees: absolute(trees) });
  });

  it('is what wildcards match, or what is named after it', () => {
    const matchesOf = (path: string): GlobMatches =>
      path === `${project}/from/*` ? matches : NO_MATCHES;
    const matches = { links: [], names: [`${project}/from/x`, `${project}/from/y`] };
    expect(overwritten('cp from/* to', matchesOf).files).toEqual([
      `${project}/to`,
      `${project}/to/x`,
      `${project}/to/y`,
    ]);
  });
});

describe('a file with other names', () => {
  function judge(command: string, rules: Parameters<typeof contextOf>[0]) {
    const facts = shellFacts(command);
    if (facts.target === undefined) throw new Error('a command line has a target');
    const resolved = withResolvedPaths(facts.target, (given) => given);
    const target = withOtherNames(
      resolved,
      () => NO_MATCHES,
      (_, path) => path === `${project}/conf`,
    );
    return decide({ ...facts, target }, contextOf(rules));
  }

  it('is not overwritten by a command line without an answer', () => {
    const rules = { mode: 'acceptEdits', allow: ['Edit(conf)'] } as const;
    expect(judge('echo x > conf', rules)).toMatchObject({
      behavior: 'ask',
      decisionReason: {
        type: 'safetyCheck',
        reason: `${project}/conf has other names (hard links), which may be protected`,
        classifierApprovable: false,
      },
      blockedPath: `${project}/conf`,
    });
    expect(judge('echo x > other', rules).behavior).toBe('allow');
    expect(judge('echo x > conf', { ...rules, mode: 'dontAsk' }).behavior).toBe('deny');
    expect(judge('echo x > conf', { allow: ['Bash'] }).behavior).toBe('ask');
  });
});
