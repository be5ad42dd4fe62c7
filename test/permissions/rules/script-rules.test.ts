import { describe, expect, it } from 'vitest';
import type { PermissionMode } from '../../../src/core/permission-types.js';
import { decide } from '../../../src/permissions/decide.js';
import { gatherFacts } from '../../../src/actors/facts/gather-facts.js';
import { createBashGrammar } from '../../../src/tools/shell/bash-grammar.js';
import { PowerShellTool } from '../../../src/tools/shell/powershell.js';
import { createContext } from '../../support/tool-context.js';
import { contextOf } from '../corpus.js';

async function decideOn(
  command: string,
  rules: {
    readonly mode?: PermissionMode;
    readonly allow?: readonly string[];
    readonly deny?: readonly string[];
    readonly ask?: readonly string[];
  } = {},
) {
  const input = { command, timeout: 1_000 };
  const facts = await gatherFacts(PowerShellTool, input, createContext('/w'), createBashGrammar());
  return decide(facts, contextOf(rules));
}

const behaviorOf = async (...given: Parameters<typeof decideOn>) =>
  (await decideOn(...given)).behavior;

describe('a command of PowerShell', () => {
  it.each(['default', 'acceptEdits'] as const)(
    'asks in the mode %s, also if it reads',
    async (mode) => {
      expect(await decideOn('Get-ChildItem', { mode })).toMatchObject({
        behavior: 'ask',
        message: 'PowerShell: No rule allows "Get-ChildItem".',
        suggestions: [
          { type: 'addRules', rules: [{ toolName: 'PowerShell', ruleContent: 'Get-ChildItem' }] },
        ],
      });
    },
  );

  it('is denied in plan mode, whatever a rule allows', async () => {
    const rules = { mode: 'plan', allow: ['PowerShell(Get-Date:*)'] } as const;
    expect(await behaviorOf('Get-Date', rules)).toBe('deny');
  });

  it.each([
    ['PowerShell(Get-Date)', 'Get-Date'],
    ['PowerShell(Get-Date; rm x)', 'Get-Date; rm x'],
    ['PowerShell(Get-ChildItem:*)', 'Get-ChildItem'],
    ['PowerShell(Get-ChildItem:*)', 'Get-ChildItem -Path src -Recurse'],
    ['PowerShell(Get-ChildItem *)', 'Get-ChildItem "a b"'],
    ['PowerShell', 'Get-Date; rm x'],
  ])('is allowed by %s: %s', async (rule, command) => {
    expect(await behaviorOf(command, { allow: [rule] })).toBe('allow');
  });

  it.each([
    'Get-ChildItemX',
    'get-childitem src',
    'Get-ChildItem; rm x',
    'Get-ChildItem | rm',
    'Get-ChildItem && rm x',
    'Get-ChildItem & rm x',
    'Get-ChildItem $(rm x)',
    'Get-ChildItem (rm x)',
    'Get-ChildItem {rm x}',
    'Get-ChildItem @(rm x)',
    'Get-ChildItem > x',
    'Get-ChildItem `\nrm x',
    'Get-ChildItem\nrm x',
    'Get-ChildItem\rrm x',
    'Get-ChildItem $env:SECRET',
  ])('is not allowed by a prefix: %j', async (command) => {
    const allow = ['PowerShell(Get-ChildItem:*)', 'Bash', 'Bash(Get-ChildItem *)'];
    expect(await behaviorOf(command, { allow })).toBe('ask');
    expect(await behaviorOf(command, { allow: ['PowerShell(command:Get-ChildItem*)'] })).toBe(
      'ask',
    );
  });

  it.each([
    'Remove-Item x',
    'remove-item x',
    'Get-Date; Remove-Item x',
    'Get-Date|Remove-Item',
    '& Remove-Item x',
    "& 'Remove-Item' x",
    'if ($true) {Remove-Item x}',
    'Write-Output "$(Remove-Item x)"',
    'Re`move-Item x',
    'Remove-"Item" x',
    'Start-Job { Remove-Item x }',
    'pwsh -c Remove-Item x',
    'Get-Date\nRemove-Item   x',
  ])('is denied by a rule for a part: %j', async (command) => {
    const deny = ['PowerShell(Remove-Item:*)'];
    expect(await behaviorOf(command, { deny, mode: 'bypassPermissions' })).toBe('deny');
    expect(await behaviorOf(command, { ask: deny, allow: ['PowerShell'] })).toBe('ask');
  });

  it('is not denied by a rule for another command', async () => {
    const rules = { allow: ['PowerShell'], deny: ['PowerShell(Remove-Item:*)'] };
    expect(await behaviorOf('Remove-ItemProperty x', rules)).toBe('allow');
  });
});
