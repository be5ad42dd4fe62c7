import { describe, expect, it } from 'vitest';
import { getEmptyToolPermissionContext } from '../../src/core/permission-types.js';
import type { ToolPermissionContext } from '../../src/core/permission-types.js';
import { applyPermissionUpdate } from '../../src/permissions/modes/apply-update.js';
import { isDangerousInAuto } from '../../src/permissions/modes/dangerous-rules.js';
import { decide } from '../../src/permissions/decide.js';
import type { ToolFacts } from '../../src/permissions/facts/facts.js';
import { deriveChildContext } from '../../src/permissions/modes/modes.js';
import { shellFacts } from './corpus.js';
import { strictestProposal, type Proposal } from '../../src/permissions/proposal.js';

const place = { cwd: '/w', projectRoot: '/w', home: '/home/u', realPaths: {} };

function use(parts: Partial<ToolFacts> = {}): ToolFacts {
  return {
    toolName: 'Change',
    isReadOnly: false,
    requiresUserInteraction: false,
    input: {},
    ownCheck: { behavior: 'passthrough' },
    place,
    ...parts,
  };
}

const write = (...paths: readonly string[]): ToolFacts =>
  use({
    toolName: 'Write',
    target: {
      kind: 'paths',
      paths: paths.map((path) => ({
        given: path,
        lexical: path,
        resolved: path,
        access: 'write' as const,
      })),
    },
  });

const hook: Proposal = { behavior: 'allow', reason: { type: 'hook', hookName: 'h' } };
const classifier: Proposal = {
  behavior: 'allow',
  reason: { type: 'classifier', classifier: 'c', reason: 'fine' },
};
const context = (parts: Partial<ToolPermissionContext> = {}): ToolPermissionContext => ({
  ...getEmptyToolPermissionContext(),
  ...parts,
});
const AUTO = context({ mode: 'auto', isAutoModeAvailable: true });
const setMode = (mode: 'auto' | 'default' | 'plan') =>
  ({ type: 'setMode', mode, destination: 'session' }) as const;

describe('strictestProposal', () => {
  const allow = hook;
  const ask: Proposal = { ...hook, behavior: 'ask' };
  const deny: Proposal = { ...hook, behavior: 'deny' };

  it.each([
    [[allow, ask, deny], deny],
    [[allow, deny, ask], deny],
    [[ask, allow, deny], deny],
    [[ask, deny, allow], deny],
    [[deny, allow, ask], deny],
    [[deny, ask, allow], deny],
    [[allow, ask], ask],
    [[ask, allow], ask],
    [[allow], allow],
  ])('takes a denial, then an ask, in whatever order they come: %#', (proposals, strictest) => {
    expect(strictestProposal(proposals)).toBe(strictest);
  });

  it('takes the first of equals, and nothing of nothing', () => {
    const other: Proposal = { ...deny, reason: { type: 'hook', hookName: 'other' } };
    expect(strictestProposal([deny, other])).toBe(deny);
    expect(strictestProposal([])).toBeUndefined();
  });
});

describe('a proposal that allows', () => {
  it('counts if somebody would be asked, and is the reason', () => {
    expect(decide(use(), context(), hook)).toEqual({
      behavior: 'allow',
      decisionReason: hook.reason,
    });
    expect(decide(use(), context({ mode: 'dontAsk' }), hook).behavior).toBe('allow');
  });

  it('does not override safety checks, plan mode and what only a person can answer', () => {
    expect(decide(write('/w/.git/config'), context(), hook).behavior).toBe('ask');
    expect(decide(write('/w/.git/config'), AUTO, classifier).behavior).toBe('ask');
    expect(decide(write('/w/.npmrc'), AUTO, hook).behavior).toBe('ask');
    expect(decide(write('/elsewhere/.npmrc'), AUTO, classifier).behavior).toBe('ask');
    expect(decide(use(), context({ mode: 'plan' }), hook).behavior).toBe('deny');
    const question = use({
      requiresUserInteraction: true,
      ownCheck: { behavior: 'ask', message: 'Which?' },
    });
    expect(decide(question, context(), hook).behavior).toBe('ask');
  });

  it('allows what only a person can answer if it has the answers, and nothing else by that', () => {
    const answers = { ...hook, givesInput: true } as const;
    const question = use({
      requiresUserInteraction: true,
      ownCheck: { behavior: 'ask', message: 'Which?' },
    });
    for (const mode of ['default', 'plan', 'dontAsk'] as const)
      expect(decide(question, context({ mode }), answers)).toEqual({
        behavior: 'allow',
        decisionReason: hook.reason,
      });
    expect(decide(use(), context({ mode: 'plan' }), answers).behavior).toBe('deny');
    expect(decide(write('/w/.git/config'), context(), answers).behavior).toBe('ask');
  });

  it.each([
    [hook, context(), '/w/a', '/w/.git/config'],
    [classifier, AUTO, '/w/a', '/w/.git/config'],
    [classifier, AUTO, '/elsewhere/a', '/elsewhere/.npmrc'],
    [classifier, AUTO, '/w/.npmrc', '/w/.git/config'],
  ])('is ignored if one of several files is protected: %#', (one, rules, ...paths) => {
    for (const order of [paths, paths.toReversed()])
      expect(decide(write(...order), rules, one)).toMatchObject({
        behavior: 'ask',
        decisionReason: { type: 'safetyCheck', reason: `${paths[1]} is protected` },
      });
  });

  it('does not override a part of a command that is protected, or if nobody can tell what it does', () => {
    const commands = [
      'ls && echo x > .git/config',
      'echo x > .git/hooks/pre-commit && make',
      'eval "$A"',
      'make; }',
    ];
    for (const one of [hook, classifier]) {
      const asked = commands.filter(
        (command) => decide(shellFacts(command), context(), one).behavior === 'ask',
      );
      expect(asked).toEqual(commands);
      expect(decide(shellFacts('make && npm i'), context(), one).behavior).toBe('allow');
    }
  });

  it('does not lift the denial of the tool itself, whatever is proposed', () => {
    const refusing = use({
      ownCheck: {
        behavior: 'deny',
        message: 'No.',
        decisionReason: { type: 'other', reason: 'the tool says no' },
      },
    });
    const proposals = [hook, classifier, { ...hook, behavior: 'ask' as const }];
    const decisions = proposals.map((one) => decide(refusing, context(), one));
    expect(decisions).toEqual(proposals.map(() => refusing.ownCheck));
  });

  it('does not answer a rule that asks', () => {
    const asking = context({ alwaysAskRules: { session: ['Change'] } });
    const rule = { source: 'session', behavior: 'ask', value: { toolName: 'Change' } };
    for (const one of [hook, classifier])
      expect(decide(use(), asking, one)).toMatchObject({
        behavior: 'ask',
        decisionReason: { type: 'rule', rule },
      });
    const inMode = { ...asking, mode: 'dontAsk' as const };
    expect(decide(use(), inMode, hook).behavior).toBe('deny');
  });

  it('of the classifier passes a change of the project’s own configuration', () => {
    expect(decide(write('/w/.npmrc'), AUTO, classifier)).toEqual({
      behavior: 'allow',
      decisionReason: classifier.reason,
    });
  });

  it('of the classifier passes a check that says so, of a hook does not', () => {
    const checked = use({
      ownCheck: {
        behavior: 'ask',
        message: 'Odd.',
        decisionReason: { type: 'safetyCheck', reason: 'odd', classifierApprovable: true },
      },
    });
    expect(decide(checked, AUTO, classifier).behavior).toBe('allow');
    expect(decide(checked, AUTO, hook).behavior).toBe('ask');
  });
});

describe('the mode auto', () => {
  it('accepts what acceptEdits accepts, and asks for the rest', () => {
    expect(decide(write('/w/a.txt'), AUTO)).toEqual({
      behavior: 'allow',
      decisionReason: { type: 'mode', mode: 'auto' },
    });
    expect(decide(write('/etc/a'), AUTO).behavior).toBe('ask');
    expect(decide(write('/w/a.txt'), context({ mode: 'auto' })).behavior).toBe('ask');
  });

  it('takes away what would allow anything, and gives it back', () => {
    const rules = { session: ['Bash(python *)', 'Bash(npm test *)'], userSettings: ['Agent'] };
    const before = context({ isAutoModeAvailable: true, alwaysAllowRules: rules });
    const during = applyPermissionUpdate(before, setMode('auto'));
    expect(during.alwaysAllowRules).toEqual({ session: ['Bash(npm test *)'] });
    expect(during.strippedDangerousRules).toEqual({
      session: ['Bash(python *)'],
      userSettings: ['Agent'],
    });
    const after = applyPermissionUpdate(during, setMode('default'));
    expect(after.strippedDangerousRules).toBeUndefined();
    expect(new Set(after.alwaysAllowRules.session)).toEqual(new Set(rules.session));
    expect(after.alwaysAllowRules.userSettings).toEqual(['Agent']);
  });

  it('takes a rule that comes later away too, and forgets one that is removed', () => {
    const during = applyPermissionUpdate(context({ isAutoModeAvailable: true }), setMode('auto'));
    const rules = [{ toolName: 'Bash' }];
    const change = { behavior: 'allow', rules, destination: 'session' } as const;
    const added = applyPermissionUpdate(during, { type: 'addRules', ...change });
    expect(added.alwaysAllowRules.session ?? []).toEqual([]);
    const removed = applyPermissionUpdate(added, { type: 'removeRules', ...change });
    expect(
      applyPermissionUpdate(removed, setMode('default')).alwaysAllowRules.session ?? [],
    ).toEqual([]);
  });

  it('comes back after plan mode', () => {
    const during = applyPermissionUpdate(context({ isAutoModeAvailable: true }), setMode('auto'));
    expect(applyPermissionUpdate(during, setMode('plan')).prePlanMode).toBe('auto');
  });

  it('takes away from a child what would allow anything, if only the child is in it', () => {
    const parent = context({
      mode: 'bypassPermissions',
      isBypassPermissionsModeAvailable: true,
      isAutoModeAvailable: true,
      alwaysAllowRules: { session: ['Bash(python *)', 'Bash(npm test *)'] },
    });
    const child = deriveChildContext(parent, { mode: 'auto' });
    expect(child.alwaysAllowRules).toEqual({ session: ['Bash(npm test *)'] });
    expect(decide(shellFacts('python x.py'), child).behavior).toBe('ask');
  });

  it('is no child’s if its parent is stricter, or nothing classifies', () => {
    const child = (parent: Partial<ToolPermissionContext>) =>
      deriveChildContext(context(parent), { mode: 'auto' }).mode;
    expect(child({ isAutoModeAvailable: true })).toBe('default');
    expect(child({ mode: 'bypassPermissions', isBypassPermissionsModeAvailable: true })).toBe(
      'default',
    );
    expect(
      child({
        mode: 'bypassPermissions',
        isBypassPermissionsModeAvailable: true,
        isAutoModeAvailable: true,
      }),
    ).toBe('auto');
  });
});

it.each([
  'Bash',
  'Bash(*)',
  'Bash(:*)',
  'Bash(python *)',
  'Bash(python3.12:*)',
  'Bash(py*)',
  '*',
  'Bash(npm run *)',
  'Bash(node -e *)',
  'Bash(env *)',
  'Bash(sudo apt *)',
  'Bash(find . *)',
  'Bash(* --version)',
  'Bash(bash -c *)',
  'Bash(/usr/bin/python3 *)',
  'Agent',
  'Agent(x)',
  'PowerShell',
  'PowerShell(Get-ChildItem:*)',
])('%s would allow anything', (rule) => {
  expect(isDangerousInAuto(rule)).toBe(true);
});

it.each([
  'Bash(npm test *)',
  'Bash(git log *)',
  'Bash(python script.py)',
  'Bash(ls*)',
  'Read',
  'Bash(python script.py *)',
  'WebFetch(domain:a.b)',
  'PowerShell(Get-Date)',
  'mcp__server__get_*',
  'Edit(src/**)',
])('%s does not', (rule) => {
  expect(isDangerousInAuto(rule)).toBe(false);
});
