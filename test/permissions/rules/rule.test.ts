import { describe, expect, it } from 'vitest';
import { getEmptyToolPermissionContext } from '../../../src/core/permission-types.js';
import { parseRuleList } from '../../../src/permissions/rules/rule-list.js';
import { formatRule, parseRule, rulesOf } from '../../../src/permissions/rules/rule.js';
import { matchesToolName } from '../../../src/permissions/rules/tool-name.js';

describe('parseRule', () => {
  it('reads a tool, with or without a content', () => {
    expect(parseRule('Read')).toEqual({ ok: true, value: { toolName: 'Read' } });
    expect(parseRule('Bash(echo (x))')).toEqual({
      ok: true,
      value: { toolName: 'Bash', ruleContent: 'echo (x)' },
    });
    expect(parseRule('mcp__github__get_*').ok).toBe(true);
  });

  it('is undone by formatRule', () => {
    const rules = ['Read', 'Bash(npm test *)', 'Bash(echo ")")', 'mcp__server'];
    const again = rules.map((rule) => {
      const parsed = parseRule(rule);
      return parsed.ok ? formatRule(parsed.value) : parsed.message;
    });
    expect(again).toEqual(rules);
  });

  it.each([
    ['', 'A permission rule is empty. Write a tool name, as in "Read".'],
    ['(ls)', 'The permission rule "(ls)" names no tool. Write the tool first: "Bash(ls)".'],
    ['Bash(ls', 'The permission rule "Bash(ls" has a "(" and does not end with ")".'],
    [
      'Bash()',
      'The permission rule "Bash()" has nothing between its parentheses. Write "Bash" to match every use.',
    ],
    [
      'npm test',
      '"npm test" in the permission rule "npm test" is not a tool name. Write "Tool" or "Tool(content)".',
    ],
  ])('says what is wrong with %j', (text, message) => {
    expect(parseRule(text)).toEqual({ ok: false, message });
  });
});

describe('rulesOf', () => {
  it('lists the strongest source first', () => {
    const context = {
      ...getEmptyToolPermissionContext(),
      alwaysDenyRules: {
        userSettings: ['A'],
        session: ['B'],
        policySettings: ['C'],
        cliArg: ['D(x)'],
      },
    };
    expect(rulesOf(context, 'deny').map((rule) => [rule.source, formatRule(rule.value)])).toEqual([
      ['policySettings', 'C'],
      ['cliArg', 'D(x)'],
      ['session', 'B'],
      ['userSettings', 'A'],
    ]);
  });

  it('widens what denies and drops what allows if text is no rule', () => {
    const broken = { session: ['Bash(rm'] };
    const context = {
      ...getEmptyToolPermissionContext(),
      alwaysDenyRules: broken,
      alwaysAllowRules: broken,
    };
    expect(rulesOf(context, 'deny').map(({ value }) => value)).toEqual([{ toolName: 'Bash' }]);
    expect(rulesOf(context, 'allow')).toEqual([]);
  });
});

describe('matchesToolName', () => {
  it.each([
    ['Bash', 'Bash', true, true],
    ['bash', 'Bash', false, false],
    ['*', 'Bash', true, false],
    ['B*', 'Bash', true, false],
    ['mcp__*', 'mcp__a__b', true, false],
    ['mcp__a', 'mcp__a__b', true, true],
    ['mcp__a', 'mcp__ab__c', false, false],
    ['mcp__a__get_*', 'mcp__a__get_x', true, true],
    ['mcp__a__*', 'mcp__ab__c', false, false],
    ['mcp__a__b', 'mcp__a__b__c', true, false],
    ['mcp__a__b__*', 'mcp__a__b__c', true, true],
    ['mcp__my.server', 'mcp__my_server__b', true, false],
    ['mcp__my server__*', 'mcp__my_server__b', true, false],
    ['mcp__na\u00efve', 'mcp__na_ve__b', true, false],
    ['mcp__nai\u0308ve', 'mcp__na_ve__b', true, false],
    ['mcp__g\u0456t', 'mcp__git__b', false, false],
    ['mcp__GIT', 'mcp__git__b', false, false],
  ])('lets %s cover %s when it denies: %s, when it allows: %s', (pattern, tool, denies, allows) => {
    expect(matchesToolName(pattern, tool, 'deny')).toBe(denies);
    expect(matchesToolName(pattern, tool, 'allow')).toBe(allows);
  });
});

describe('parseRuleList', () => {
  it('splits at commas and blanks outside parentheses', () => {
    expect(parseRuleList('Bash(node *, x),Read  Edit(/a b/**)', '--allowedTools')).toEqual([
      'Bash(node *, x)',
      'Read',
      'Edit(/a b/**)',
    ]);
    expect(parseRuleList('', '--allowedTools')).toEqual([]);
    expect(parseRuleList('mcp__a__b mcp__c', '--allowedTools')).toEqual(['mcp__a__b', 'mcp__c']);
  });

  it.each([
    ['Bash(ls', '--allowedTools: "Bash(ls" opens a parenthesis and never closes it.'],
    ['Read)', '--allowedTools: "Read)" closes a parenthesis that was not opened.'],
    [
      'Read,()',
      '--allowedTools: The permission rule "()" names no tool. Write the tool first: "Bash()".',
    ],
  ])('names the option and the part of %j that is wrong', (value, message) => {
    expect(() => parseRuleList(value, '--allowedTools')).toThrow(message);
  });
});
