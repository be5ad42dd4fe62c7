import { beforeAll, describe, expect, it } from 'vitest';
import { loadAnalysis } from '../../../src/permissions/shell/load-analysis.js';
import { baseToolNames, getAllBaseTools } from '../../../src/tools/pool/base-tools.js';
import { toModelTools } from '../../../src/tools/pool/pool.js';

describe('getAllBaseTools', () => {
  beforeAll(async () => void (await loadAnalysis())); // Bash reads command lines with it

  it('has every tool once', () => {
    expect(getAllBaseTools().map(({ name }) => name)).toEqual([
      'Read',
      'Write',
      'Edit',
      'MultiEdit',
      'NotebookEdit',
      'Glob',
      'Grep',
      'LSP',
      'ListMcpResources',
      'ReadMcpResource',
      'MonitorMcp',
      'Bash',
      'BashOutput',
      'KillShell',
      'Monitor',
      'WebFetch',
      'WebSearch',
      'PowerShell',
      'Sandbox',
      'Tmux',
      'Agent',
      'Skill',
      'TaskOutput',
      'TaskStop',
      'SendMessage',
      'TeamCreate',
      'TeamDelete',
      'TaskCreate',
      'TaskGet',
      'TaskList',
      'TaskUpdate',
      'CronCreate',
      'CronList',
      'CronDelete',
      'RemoteTrigger',
      'Sleep',
      'Workflow',
      'TodoWrite',
      'AskUserQuestion',
      'EnterPlanMode',
      'ExitPlanMode',
      'EnterWorktree',
      'ExitWorktree',
      'ToolSearch',
    ]);
  });

  it('names in what a tool tells only tools that there are', () => {
    const tools = getAllBaseTools();
    const told = JSON.stringify(toModelTools(tools, { agents: [], cwd: '/w' }));
    for (const name of ['SlashCommand']) {
      expect(told).not.toContain(name);
    }
  });

  it.each([
    ['git status', false, true, true],
    ['git status', true, true, false],
    ['cd src', false, false, false],
    ['rm -r build', false, false, false],
    ["echo 'open", false, false, false],
  ])('Bash %s (background: %s) only reads: %s, is safe: %s', (command, background, reads, safe) => {
    const bash = getAllBaseTools().find(({ name }) => name === 'Bash');
    const input = { command, run_in_background: background };
    expect([bash?.isReadOnly(input), bash?.isConcurrencySafe(input)]).toEqual([reads, safe]);
  });
});

describe('baseToolNames', () => {
  it('takes names and aliases', () => {
    expect(baseToolNames(['Read', 'Task'])).toEqual(['Read', 'Agent']);
  });

  it('names what was probably meant, and all that there are', () => {
    expect(() => baseToolNames(['Raed'])).toThrow(
      'There is no built-in tool "Raed". Did you mean Read? There are: Agent, AskUserQuestion,',
    );
  });
});
