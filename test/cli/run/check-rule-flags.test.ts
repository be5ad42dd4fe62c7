import { describe, expect, it } from 'vitest';
import { checkRuleFlags } from '../../../src/cli/run/check-rule-flags.js';

const check = (allowed: readonly string[], denied: readonly string[] = []): Promise<void> =>
  checkRuleFlags({ allowedTools: allowed, disallowedTools: denied });

describe('the rules of a command line', () => {
  it.each([
    [
      ['Read,Bahs(ls)'],
      [],
      `--allowedTools: the rule Bahs(ls) allows nothing: there is no tool "Bahs". Did you mean 'Bash(ls)'?`,
    ],
    [
      [],
      ['bash(rm *)'],
      `--disallowedTools: the rule bash(rm *) denies nothing: there is no tool "bash". Did you mean 'Bash(rm *)'?`,
    ],
    [
      ['Read'],
      ['Wriet'],
      `--disallowedTools: the rule Wriet denies nothing: there is no tool "Wriet". Did you mean 'Write'?`,
    ],
  ])('are refused if a tool is misspelt: %j, %j', async (allowed, denied, message) => {
    await expect(check(allowed, denied)).rejects.toThrow(message);
  });

  it('may name published tools that are not there, tools of servers, and what nobody knows', async () => {
    const names = ['SlashCommand', 'mcp__files__reed', 'REPL', 'Frobnicate', 'Task', 'Bash*'];
    await expect(check(names, names)).resolves.toBeUndefined();
  });
});
