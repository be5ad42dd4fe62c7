import { describe, expect, it } from 'vitest';
import type { PermissionBehavior } from '../../../src/core/permission-types.js';
import {
  findRuleProblems,
  tellRuleProblems,
  TOOLS_WITHOUT_TARGET,
} from '../../../src/permissions/rules/rule-problems.js';
import { getAllBaseTools } from '../../../src/tools/pool/base-tools.js';

const KNOWN = {
  tools: ['Agent', 'Task', 'Bash', 'Edit', 'Glob', 'Grep', 'Read', 'WebSearch', 'Write'],
  agents: ['general-purpose', 'Explore', 'Reviewer', 'fork'],
};

/** The problems of rules of the project. */
function problemsOf(behavior: PermissionBehavior, ...texts: readonly string[]): readonly string[] {
  const rules = texts.map((text) => ({ source: 'projectSettings', behavior, text }) as const);
  return tellRuleProblems(findRuleProblems(rules, KNOWN), KNOWN);
}

describe('findRuleProblems', () => {
  it('names the tool that was probably meant', () => {
    expect(problemsOf('allow', 'bash(rm *)')).toEqual([
      'The rule bash(rm *) (project settings) allows nothing: no tool is called "bash". Did you mean Bash?',
    ]);
    expect(problemsOf('deny', 'bash(rm *)')).toEqual([
      'The rule bash(rm *) (project settings) denies nothing: no tool is called "bash". Did you mean Bash?',
    ]);
  });

  it('lists the tools once, however many rules name a strange one', () => {
    expect(problemsOf('ask', 'Deploy', 'Frobnicate(a)')).toEqual([
      'The rule Deploy (project settings) asks for nothing: no tool is called "Deploy".',
      'The rule Frobnicate(a) (project settings) asks for nothing: no tool is called "Frobnicate".',
      'Tools that rules can name: Agent, Task, Bash, Edit, Glob, Grep, Read, WebSearch, Write.',
    ]);
  });

  it('has one short line for all published tools that are missing', () => {
    expect(problemsOf('deny', 'SlashCommand', 'SlashCommand(/a)', 'NotebookRead', 'LS(x)')).toEqual(
      ['Rules for SlashCommand, NotebookRead, LS have no effect: Troupe has no such tool yet.'],
    );
  });

  it('knows the agents, the built-in ones in any case', () => {
    const fine = ['Agent(explore)', 'Task(Explore)', 'Agent(EXPLORE)', 'Agent(General-Purpose)'];
    expect(problemsOf('deny', ...fine, 'Agent(Reviewer)', 'Agent(R*)', 'Task(fork)')).toEqual([]);
    expect(problemsOf('deny', 'Agent(model:opus)')).toEqual([]);
    expect(problemsOf('deny', 'Agent(Explor)', 'Task(reviewer)', 'Agent(nobody)')).toEqual([
      'The rule Agent(Explor) (project settings) denies nothing: no agent is called "Explor". Did you mean Explore?',
      'The rule Task(reviewer) (project settings) denies nothing: no agent is called "reviewer". Did you mean Reviewer?',
      'The rule Agent(nobody) (project settings) denies nothing: no agent is called "nobody". There are general-purpose, Explore, Reviewer, fork.',
    ]);
  });

  it('knows the tools that have nothing to compare the content of a rule with', () => {
    const without = getAllBaseTools().filter(
      (tool) => tool.permissionTarget === undefined && tool.preparePermissionMatcher === undefined,
    );
    expect(without.map(({ name }) => name).toSorted()).toEqual(
      [...TOOLS_WITHOUT_TARGET].toSorted(),
    );
    const fine = ['WebSearch', 'WebSearch(*)', 'WebSearch(query:node)'];
    expect(problemsOf('deny', ...fine, 'WebSearch(node)')).toEqual([
      'The rule WebSearch(node) (project settings) denies nothing: WebSearch has nothing that "node" is compared with. Write WebSearch, or a parameter with its value: WebSearch(NAME:VALUE).',
    ]);
  });

  it('says what a rule that cannot be read does', () => {
    expect(problemsOf('allow', 'Bash(ls')).toEqual([
      'The rule Bash(ls (project settings) allows nothing: The permission rule "Bash(ls" has a "(" and does not end with ")".',
    ]);
    expect(problemsOf('deny', 'Bash(ls')).toEqual([
      'The rule Bash(ls (project settings) counts for every use of its tool, since it cannot be read: The permission rule "Bash(ls" has a "(" and does not end with ")".',
    ]);
  });

  it.each([
    ['Write(/src/**)', 'Edit(/src/**)'],
    ['MultiEdit(a)', 'Edit(a)'],
    ['NotebookEdit(a)', 'Edit(a)'],
    ['Grep(.env)', 'Read(.env)'],
    ['Glob(~/x)', 'Read(~/x)'],
    ['LSP(src/**)', 'Read(src/**)'],
  ])('says that the path of %s is looked up elsewhere', (rule, instead) => {
    expect(problemsOf('deny', rule)).toEqual([
      `The rule ${rule} (project settings) has no effect: paths are looked up in rules for Read and Edit only. Write ${instead}.`,
    ]);
  });

  it('knows the MCP servers that are configured, and takes no rule that allows for a mistake', () => {
    const known = { ...KNOWN, servers: ['github', 'my.db'] };
    const find = (behavior: PermissionBehavior, ...texts: readonly string[]) =>
      tellRuleProblems(
        findRuleProblems(
          texts.map((text) => ({ source: 'cliArg', behavior, text }) as const),
          known,
        ),
        known,
      );
    expect(find('deny', 'mcp__github__push', 'mcp__my.db', 'mcp__my_db__*', 'mcp__g*__x')).toEqual(
      [],
    );
    expect(find('deny', 'mcp__gihtub__push', 'mcp__mail')).toEqual([
      'The rule mcp__gihtub__push (the command line) denies nothing: no MCP server is called "gihtub". Did you mean github?',
      'The rule mcp__mail (the command line) denies nothing: no MCP server is called "mail".',
    ]);
    expect(find('allow', 'mcp__gihtub__push', 'mcp__mail')).toEqual([
      'The rule mcp__gihtub__push (the command line) allows nothing: no MCP server is called "gihtub". Did you mean github?',
    ]);
    expect(problemsOf('deny', 'mcp__mail')).toEqual([]); // nobody knows the servers
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

  it('says how names of tools spell a server', () => {
    expect(problemsOf('allow', 'mcp__my.server__get')).toEqual([
      'The rule mcp__my.server__get (project settings) allows nothing: names of tools have "_" for such characters. Write mcp__my_server__get.',
    ]);
    expect(problemsOf('deny', 'mcp__my.server__get')).toEqual([]);
  });

  it('says that a wildcard for paths allows nothing if paths are looked up elsewhere', () => {
    expect(problemsOf('allow', 'Write(*)')).toEqual([
      'The rule Write(*) (project settings) has no effect: paths are looked up in rules for Read and Edit only. Write Edit(*).',
    ]);
  });

  it('has nothing to say of rules that work, and says the same thing once', () => {
    const fine = ['Bash', 'Bash(npm test *)', 'Write', 'Read(*)', 'Grep(pattern:x)', 'Task(fork)'];
    expect(problemsOf('deny', ...fine, 'Write(*)', '*', 'B*', 'mcp__git', 'mcp__*')).toEqual([]);
    expect(problemsOf('allow', ...fine, 'mcp__git__get_*', 'mcp__unknown')).toEqual([]);
    expect(problemsOf('deny', 'Bsh', 'Bsh')).toHaveLength(1);
  });
});
