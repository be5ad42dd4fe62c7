import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/permissions/decide.js';
import { filterToolsByDenyRules } from '../../../src/permissions/matching/denies-tool.js';
import type { ToolFacts } from '../../../src/permissions/facts/facts.js';
import { preparePermissionMatcher } from '../../../src/permissions/matching/rule-match.js';
import { contextOf, factsOf, shellFacts } from '../corpus.js';

describe('filterToolsByDenyRules', () => {
  it.each([
    [['Bash'], ['Agent', 'mcp__git__log', 'mcp__git__push', 'mcp__web__get']],
    [['Bash(*)'], ['Agent', 'mcp__git__log', 'mcp__git__push', 'mcp__web__get']],
    [['Task'], ['Bash', 'mcp__git__log', 'mcp__git__push', 'mcp__web__get']],
    [['mcp__git'], ['Agent', 'Bash', 'mcp__web__get']],
    [['mcp__git__*'], ['Agent', 'Bash', 'mcp__web__get']],
    [['mcp__*'], ['Agent', 'Bash']],
    [['*'], []],
    [
      ['Bash(rm *)', 'Agent(x)', 'bash', 'mcp__gi'],
      ['Agent', 'Bash', 'mcp__git__log', 'mcp__git__push', 'mcp__web__get'],
    ],
  ])('%j leaves %j', (deny, left) => {
    const tools = [
      { name: 'Agent', aliases: ['Task'] },
      ...['Bash', 'mcp__git__log', 'mcp__git__push', 'mcp__web__get'].map((name) => ({ name })),
    ];
    expect(filterToolsByDenyRules(tools, contextOf({ deny })).map(({ name }) => name)).toEqual(
      left,
    );
  });
});

const PUSH = factsOf({ toolName: 'mcp__git__push', input: { force: true } });
const WORKER = factsOf({
  toolName: 'Agent',
  aliases: ['Task'],
  input: { subagent_type: 'worker', model: 'opus' },
  target: { kind: 'name', name: 'worker' },
});
const EXPLORE = factsOf({
  toolName: 'Agent',
  aliases: ['Task'],
  input: { subagent_type: 'explore', description: 'look' },
  target: { kind: 'name', name: 'Explore', ignoresCase: true, parameter: 'subagent_type' },
});
const IN_BACKGROUND: ToolFacts = {
  ...shellFacts('make'),
  input: { command: 'make', run_in_background: true },
};

describe('a rule', () => {
  it.each([
    ['mcp__git', PUSH],
    ['mcp__git__*', PUSH],
    ['mcp__git__push', PUSH],
    ['mcp__git__push(force:true)', PUSH],
    ['Agent', WORKER],
    ['Agent(worker)', WORKER],
    ['Agent(wo*)', WORKER],
    ['Task(worker)', WORKER],
    ['Agent(model:opus)', WORKER],
    ['Agent(Explore)', EXPLORE],
    ['Agent(explore)', EXPLORE],
    ['Task(EXPLORE)', EXPLORE],
    ['Agent(exp*)', EXPLORE],
    ['Agent(subagent_type:Explore)', EXPLORE],
    ['Agent(subagent_type:explore)', EXPLORE],
    ['Task(subagent_type:EXP*)', EXPLORE],
    ['Agent(subagent_type:worker)', WORKER],
  ])('%s denies, asks and allows', (rule, facts) => {
    expect(decide(facts, contextOf({ allow: [rule] })).behavior).toBe('allow');
    expect(decide(facts, contextOf({ ask: [rule], allow: [rule] })).behavior).toBe('ask');
    expect(decide(facts, contextOf({ deny: [rule], ask: [rule], allow: [rule] })).behavior).toBe(
      'deny',
    );
  });

  it.each([
    ['mcp__gi', PUSH],
    ['mcp__git__pu', PUSH],
    ['mcp__git__push(force:false)', PUSH],
    ['Agent(other)', WORKER],
    ['Agent(Worker)', WORKER],
    ['Agent(Explorer)', EXPLORE],
    ['Agent(subagent_type:Explorer)', EXPLORE],
    ['Agent(description:LOOK)', EXPLORE],
    ['Agent(subagent_type:Worker)', WORKER],
    ['Agent(model:sonnet)', WORKER],
    ['Agent(subagent:worker)', WORKER],
    ['Bash(run_in_background:false)', IN_BACKGROUND],
  ])('%s leaves it alone', (rule, facts) => {
    expect(decide(facts, contextOf({ deny: [rule] })).behavior).toBe('ask');
    expect(decide(facts, contextOf({ allow: [rule] })).behavior).toBe('ask');
  });

  it('for a parameter of a command denies and asks, and allows no command whole', () => {
    const rule = 'Bash(run_in_background:true)';
    expect(decide(IN_BACKGROUND, contextOf({ deny: [rule] })).behavior).toBe('deny');
    expect(decide(IN_BACKGROUND, contextOf({ ask: [rule], allow: ['Bash'] })).behavior).toBe('ask');
    expect(decide(IN_BACKGROUND, contextOf({ allow: [rule] })).behavior).toBe('ask');
  });
});

describe('preparePermissionMatcher', () => {
  it('tells what of a use the content of a rule matches', () => {
    const command = preparePermissionMatcher(shellFacts('ls && g\\it push -f'));
    expect(['git push *', 'ls', 'git pull *'].map(command)).toEqual([
      'git push -f',
      'ls',
      undefined,
    ]);
    const worker = preparePermissionMatcher(WORKER);
    expect(['work*', 'model:opus', 'model:sonnet'].map(worker)).toEqual([
      'worker',
      'model:opus',
      undefined,
    ]);
  });
});
