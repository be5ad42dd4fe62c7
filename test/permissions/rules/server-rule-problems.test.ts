import { describe, expect, it } from 'vitest';
import type { PermissionBehavior } from '../../../src/core/permission-types.js';
import { describeUnknownServerTools } from '../../../src/permissions/rules/server-rule-problems.js';

const TOOLS = ['mcp__files__read_file', 'mcp__files__write_file', 'mcp__my_net__get', 'Bash'];

function linesOf(...rules: readonly (readonly [PermissionBehavior, string])[]) {
  const written = rules.map(([behavior, text]) => ({
    source: 'cliArg' as const,
    behavior,
    text,
  }));
  return describeUnknownServerTools(written, TOOLS);
}

describe('a rule for a tool that a running MCP server does not have', () => {
  it('is described with the tool that was probably meant, or all tools of the server', () => {
    expect(
      linesOf(
        ['allow', 'mcp__files__raed_file'],
        ['deny', 'mcp__my.net__gte'],
        ['ask', 'mcp__files__delete'],
        ['ask', 'mcp__files__delete'],
      ),
    ).toEqual([
      'The rule mcp__files__raed_file (the command line) allows nothing: the MCP server "files" has no tool "raed_file". Did you mean mcp__files__read_file?',
      'The rule mcp__my.net__gte (the command line) denies nothing: the MCP server "my_net" has no tool "gte". Did you mean mcp__my_net__get?',
      'The rule mcp__files__delete (the command line) asks for nothing: the MCP server "files" has no tool "delete". It has read_file, write_file.',
    ]);
  });

  it.each<[PermissionBehavior, string]>([
    ['allow', 'mcp__files'],
    ['allow', 'mcp__files__read_file'],
    ['allow', 'mcp__files__raed*'],
    ['deny', 'mcp__my.net__get'],
    ['deny', 'mcp__elsewhere__get'],
    ['deny', 'mcp__*'],
    ['allow', 'Reed'],
  ])('is not the rule that %ss %s', (behavior, rule) => {
    expect(linesOf([behavior, rule])).toEqual([]);
  });
});
