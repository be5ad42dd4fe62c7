import { describe, expect, it } from 'vitest';
import { collectHooks } from '../../../src/extensions/hooks/collect-hooks.js';
import { HOOK_EVENTS } from '../../../src/settings/schema/hook-events.js';
import { matcherProblem, matches } from '../../../src/settings/schema/hooks-settings.js';
import { Settings } from '../../../src/settings/schema/settings-schema.js';

describe('matches', () => {
  it.each<[string | undefined, readonly string[], boolean]>([
    [undefined, ['Bash'], true],
    ['', ['Bash'], true],
    ['*', ['Bash'], true],
    ['Bash', ['Bash'], true],
    ['bash', ['Bash'], false],
    ['Bas', ['Bash'], false],
    ['Edit|Write', ['Write'], true],
    ['Edit | Write', ['Write'], true],
    ['Edit, Write', ['Write'], true],
    ['Edit|Write', ['NotebookEdit'], false],
    ['.*Edit', ['NotebookEdit'], true],
    ['^Edit$', ['NotebookEdit'], false],
    ['Notebook.*', ['NotebookEdit'], true],
    ['mcp__files__read', ['mcp__files__read'], true],
    ['mcp__files', ['mcp__files__read'], false],
    ['mcp__files__.*', ['mcp__files__read'], true],
    ['mcp__files-and-more__read', ['mcp__files-and-more__read'], true],
    ['mcp__.*__write.*', ['mcp__files__write_all'], true],
    ['mcp__.*', ['Bash'], false],
    ['Task', ['Agent', 'Task'], true],
    ['^Task$', ['Agent', 'Task'], true],
  ])('%j for %j: %j', (matcher, names, isMatch) => {
    expect(matches(matcher, names)).toBe(isMatch);
  });

  it('has a problem with what is no expression', () => {
    expect(matcherProblem('Edit(')).toContain('"Edit(" is not a valid matcher');
    expect(['', '*', 'A|B', 'mcp__.*'].map(matcherProblem)).toEqual(Array(4).fill(undefined));
  });
});

describe('an unknown event', () => {
  it('does not make its settings invalid, whatever its hooks are', () => {
    const settings = Settings.parse({
      hooks: { preEditHook: { command: 'x' }, Other: [{ command: 'y' }], Empty: [], Stop: [] },
    });
    expect(settings.hooks).toEqual({
      preEditHook: [{ hooks: [] }],
      Other: [{ hooks: [] }],
      Empty: [],
      Stop: [],
    });
  });
});

describe('collectHooks', () => {
  const layer = (hook: object, source: 'userSettings' | 'policySettings' = 'userSettings') => ({
    source,
    file: `/${source}.json`,
    settings: Settings.parse(hook),
  });
  const group = (hook: object) => ({ hooks: { PreToolUse: [{ hooks: [hook] }] } });

  it.each([
    [{ async: true, args: ['a'], timeout: 1, if: 'Bash(ls)', statusMessage: 'x' }, []],
    [{ asyncRewake: true, shell: 'powershell' }, []],
  ])('says what of %j has no effect', (fields, warnings) => {
    const hook = { type: 'command', command: 'true', ...fields };
    const collected = collectHooks([layer(group(hook))]);
    expect(collected).toEqual({
      hooks: { PreToolUse: [{ hooks: [hook], source: '/userSettings.json' }] },
      warnings,
    });
  });

  it('leaves out "once", which only hooks of skills have', () => {
    const hook = { type: 'command', command: 'true' };
    expect(collectHooks([layer(group({ ...hook, once: true }))])).toEqual({
      hooks: { PreToolUse: [{ hooks: [hook], source: '/userSettings.json' }] },
      warnings: [
        '/userSettings.json: "once" of a hook (PreToolUse) has no effect: only hooks of skills have it.',
      ],
    });
  });

  it.each([
    [
      'PreTool',
      'there is no hook event "PreTool", so its hooks never run. Did you mean PreToolUse?',
    ],
    [
      'pretooluse',
      'there is no hook event "pretooluse", so its hooks never run. Did you mean PreToolUse?',
    ],
    [
      'OnMonday',
      `there is no hook event "OnMonday", so its hooks never run. Events with an effect: ${HOOK_EVENTS.join(', ')}.`,
    ],
  ])('reports hooks that never run: %s', (event, warning) => {
    const hook = { type: 'command', command: 'true' } as const;
    const hooks = { [event]: [{ hooks: [hook] }] };
    expect(collectHooks([layer({ hooks })])).toEqual({
      hooks: {},
      warnings: [`/userSettings.json: ${warning}`],
    });
  });

  it('has those of managed settings alone if hooks are switched off', () => {
    const hook = { type: 'command', command: 'true' };
    const layers = [
      layer({ ...group(hook), disableAllHooks: true }),
      layer(group(hook), 'policySettings'),
    ];
    expect(collectHooks(layers).hooks.PreToolUse?.map(({ source }) => source)).toEqual([
      '/policySettings.json',
    ]);
  });

  it('has those of managed settings alone if these say so, and reports the others', () => {
    const hook = { type: 'command', command: 'true' };
    const collect = (own: object, managed: object) => {
      const layers = [
        layer({ ...group(hook), ...own }),
        layer({ ...group(hook), ...managed }, 'policySettings'),
      ];
      const { hooks, warnings } = collectHooks(layers);
      return { files: hooks.PreToolUse?.map(({ source }) => source), warnings };
    };
    const only = { allowManagedHooksOnly: true };
    expect(collect({}, only)).toEqual({
      files: ['/policySettings.json'],
      warnings: [
        '/userSettings.json: its hooks do not run: managed settings have allowManagedHooksOnly.',
      ],
    });
    expect(collect(only, {})).toEqual({
      files: ['/userSettings.json', '/policySettings.json'],
      warnings: [
        '/userSettings.json: allowManagedHooksOnly has an effect in managed settings only.',
      ],
    });
  });
});
