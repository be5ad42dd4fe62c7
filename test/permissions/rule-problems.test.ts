import { describe, expect, it } from 'vitest';
import type { PermissionBehavior, PermissionRule } from '../../src/core/permission-types.js';
import { findRuleProblems } from '../../src/permissions/rule-problems.js';
import { parseRule } from '../../src/permissions/rule.js';

const TOOLS = ['Agent', 'Task', 'Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write'];

/** What is wrong with rules of the project. */
function problemsOf(behavior: PermissionBehavior, ...texts: readonly string[]): readonly string[] {
  const rules = texts.flatMap((text): readonly PermissionRule[] => {
    const parsed = parseRule(text);
    return parsed.ok ? [{ source: 'projectSettings', behavior, value: parsed.value }] : [];
  });
  return findRuleProblems(rules, TOOLS);
}

describe('findRuleProblems', () => {
  it('names the tool that was probably meant', () => {
    expect(problemsOf('allow', 'bash(rm *)')).toEqual([
      'The rule bash(rm *) (project settings) allows nothing: no tool is called "bash". Did you mean Bash?',
    ]);
    expect(problemsOf('deny', 'bash(rm *)')).toEqual([
      'The rule bash(rm *) (project settings) denies nothing: no tool is called "bash". Did you mean Bash?',
    ]);
    expect(problemsOf('ask', 'WebFetch')).toEqual([
      'The rule WebFetch (project settings) asks for nothing: no tool is called "WebFetch". There are Agent, Task, Bash, Edit, Glob, Grep, Read, Write.',
    ]);
  });

  it.each([
    ['Write(/src/**)', 'Edit(/src/**)'],
    ['NotebookEdit(a)', 'Edit(a)'],
    ['Grep(.env)', 'Read(.env)'],
    ['Glob(~/x)', 'Read(~/x)'],
  ])('says that the path of %s is looked up elsewhere', (rule, instead) => {
    expect(problemsOf('deny', rule)).toEqual([
      `The rule ${rule} (project settings) has no effect: paths are looked up in rules for Read and Edit only. Write ${instead}.`,
    ]);
  });

  it('points at blanks that would have to be matched', () => {
    expect(problemsOf('allow', 'Bash(npm test )', 'Bash( ls)')).toEqual([
      'The rule Bash(npm test ) (project settings) starts or ends with a blank, which has to be matched too. Write Bash(npm test).',
      'The rule Bash( ls) (project settings) starts or ends with a blank, which has to be matched too. Write Bash(ls).',
    ]);
  });

  it('says that a wildcard of tools allows nothing', () => {
    expect(problemsOf('allow', 'B*')).toEqual([
      'The rule B* (project settings) allows nothing: a rule that allows names its tool in full, and "*" counts only behind "mcp__server__".',
    ]);
  });

  it('says that a wildcard for paths allows nothing where paths are looked up elsewhere', () => {
    expect(problemsOf('allow', 'Write(*)')).toEqual([
      'The rule Write(*) (project settings) has no effect: paths are looked up in rules for Read and Edit only. Write Edit(*).',
    ]);
  });

  it('has nothing to say of rules that work, and says the same thing once', () => {
    const fine = ['Bash', 'Bash(npm test *)', 'Write', 'Read(*)', 'Grep(pattern:x)', 'Task(a)'];
    expect(problemsOf('deny', ...fine, 'Write(*)', '*', 'B*', 'mcp__git', 'mcp__*')).toEqual([]);
    expect(problemsOf('allow', ...fine, 'mcp__git__get_*', 'mcp__unknown')).toEqual([]);
    expect(problemsOf('deny', 'Bsh', 'Bsh')).toHaveLength(1);
  });
});
