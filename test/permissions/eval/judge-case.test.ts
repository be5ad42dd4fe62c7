import { describe, expect, it } from 'vitest';
import { readEvalCase } from '../../../src/permissions/eval/eval-case.js';
import { judgeCase } from '../../../src/permissions/eval/judge-case.js';

/** The decision on a case. */
function judge(example: object): string {
  const read = readEvalCase(JSON.stringify({ id: 'a', expect: 'ask', ...example }));
  if (!read.ok) throw new Error(read.message);
  return judgeCase(read.value, undefined).behavior;
}

describe('judgeCase', () => {
  it.each([
    ['Write', { allow: ['Edit'] }, 'allow'],
    ['NotebookEdit', { allow: ['Edit'], mode: 'dontAsk' }, 'allow'],
    ['Write', { deny: ['Edit'], mode: 'bypassPermissions' }, 'deny'],
    ['Write', { ask: ['Edit'], mode: 'bypassPermissions' }, 'ask'],
    ['Edit', { deny: ['Read'], mode: 'bypassPermissions' }, 'deny'],
    ['Read', { allow: ['Edit'] }, 'ask'],
    ['Read', { allow: ['Read'] }, 'allow'],
    ['Read', { allow: ['Read(*)'] }, 'ask'],
    ['Edit', { allow: ['Edit(*)'] }, 'ask'],
  ])('takes a rule without content for every path: %s with %j', (tool, rules, expected) => {
    expect(judge({ tool, path: '/etc/hosts', ...rules })).toBe(expected);
  });

  it('takes relative paths from the project', () => {
    const allowed = ['src/a.ts', './src/../a', '~/a', ''].map((path) =>
      judge({ tool: 'Read', path }),
    );
    expect(allowed).toEqual(['allow', 'allow', 'allow', 'allow']);
    expect(judge({ tool: 'Read', path: '../a' })).toBe('ask');
    expect(judge({ tool: 'Read', path: '../a', additional: ['..'] })).toBe('allow');
  });

  it.each(['/home/u/proj/d', '/home/u/proj/d/', '/home/u//proj/./d', 'd'])(
    'finds the link %s',
    (link) => {
      expect(judge({ tool: 'Read', path: '/home/u/proj/d/a', symlinks: { [link]: '/etc' } })).toBe(
        'ask',
      );
    },
  );

  it.each(['bücher.de', 'BÜCHER.de', 'xn--bcher-kva.de', 'bücher.de.'])(
    'finds what %s resolves to',
    (name) => {
      const resolves = { [name]: ['10.0.0.1'] };
      expect(judge({ url: 'https://Bücher.de/', allow: ['WebFetch'], resolves })).toBe('deny');
    },
  );
});

describe('readEvalCase', () => {
  it('names every field that is wrong', () => {
    expect(readEvalCase('{"id":1,"command":"ls","expect":"alow","deny":"Bash"}')).toEqual({
      ok: false,
      message:
        '"id" must be a string, not the number 1; "deny" must be an array, not the string "Bash"; "expect" must be one of "allow", "deny", "ask", not the string "alow". Did you mean "allow"?',
    });
  });
});
