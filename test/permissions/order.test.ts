import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  PERMISSION_MODES,
  type PermissionMode,
  type ToolPermissionContext,
} from '../../src/core/permission-types.js';
import { decide } from '../../src/permissions/decide.js';
import type { ToolFacts } from '../../src/permissions/facts/facts.js';
import { deriveChildContext, stricterMode } from '../../src/permissions/modes/modes.js';
import { contextOf, factsOf, pathFacts, shellFacts } from './corpus.js';

const rule = fc.constantFrom(
  'Bash',
  'Bash(npm *)',
  'Bash(ls)',
  'Bash(rm *)',
  'Read',
  'Read(.env)',
  'Read(/src/**)',
  'Edit',
  'Edit(/src/**)',
  'Edit(.env)',
  'Write',
  'Probe',
  'Probe(x)',
  '*',
  'mcp__*',
  'Read(//etc/**)',
);
const rules = fc.array(rule, { maxLength: 3 });
const mode = fc.constantFrom(...PERMISSION_MODES);
const context = fc
  .record({ mode, allow: rules, deny: rules, ask: rules, avoids: fc.boolean() })
  .map(({ avoids, ...given }): ToolPermissionContext => ({
    ...contextOf(given),
    shouldAvoidPermissionPrompts: avoids,
  }));

const facts = fc.constantFrom<ToolFacts>(
  ...[
    'ls',
    'npm test',
    'ls && npm test',
    'rm -rf /',
    'rm a',
    'cat .env',
    'echo x > src/a',
    'echo $X',
    'touch .git/x',
    'cat *',
  ].map((command) => shellFacts(command)),
  ...['/home/u/proj/src/a', '/home/u/proj/.env', '/etc/passwd', '/home/u/proj/.git/config'].flatMap(
    (path) => [pathFacts('Read', path), pathFacts('Write', path)],
  ),
  pathFacts('Edit', '/home/u/proj/a', { '/home/u/proj/a': 'a' }),
  factsOf({}),
  factsOf({ isReadOnly: true }),
  factsOf({ ownCheck: { behavior: 'allow' } }),
  factsOf({ ownCheck: { behavior: 'ask', message: 'Sure?' } }),
  factsOf({
    ownCheck: {
      behavior: 'deny',
      message: 'No.',
      decisionReason: { type: 'other', reason: 'the tool says no' },
    },
  }),
  factsOf({ requiresUserInteraction: true, ownCheck: { behavior: 'ask', message: 'Which?' } }),
  factsOf({ target: { kind: 'name', name: 'x' } }),
);

const STRICTNESS = { deny: 0, ask: 1, allow: 2 } as const;

function laxness(use: ToolFacts, given: ToolPermissionContext): number {
  return STRICTNESS[decide(use, given).behavior];
}

describe('the order of the pipeline', () => {
  it('lets no added rule that denies or asks make a decision laxer', () => {
    fc.assert(
      fc.property(
        facts,
        context,
        rule,
        fc.constantFrom('deny', 'ask'),
        (use, given, added, behavior) => {
          const key = behavior === 'deny' ? 'alwaysDenyRules' : 'alwaysAskRules';
          const stricter = { ...given, [key]: { ...given[key], session: [added] } };
          expect(laxness(use, stricter)).toBeLessThanOrEqual(laxness(use, given));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('lets no added rule that allows lift a denial by a rule or make a forced ask pass', () => {
    const held = new Set<string>();
    fc.assert(
      fc.property(facts, context, rule, (use, given, added) => {
        const before = decide(use, given);
        const reason = before.decisionReason;
        const byRule = reason?.type === 'rule' && reason.rule.behavior !== 'allow';
        fc.pre(byRule || (reason?.type === 'safetyCheck' && before.behavior !== 'allow'));
        const after = decide(use, {
          ...given,
          alwaysAllowRules: { ...given.alwaysAllowRules, session: [added] },
        });
        expect(after.behavior).toBe(before.behavior);
        if (reason.type === 'safetyCheck') held.add(reason.reason);
      }),
      { numRuns: 1_000, seed: 20_251_122 },
    );
    expect([...held].sort()).toEqual([
      '"rm -rf /" removes a directory that nothing can bring back',
      '/home/u/proj/.git/config is protected',
      '/home/u/proj/.git/x is protected',
      'the path cannot be resolved',
    ]);
  });

  it('asks for critical removals in every mode that asks, whatever allows them', () => {
    const removal = fc.constantFrom(
      'rm -rf /',
      'rm -r ~',
      'ls; rm -rf /etc',
      'rm -rf .',
      'rmdir ..',
    );
    fc.assert(
      fc.property(removal, context, (command, given) => {
        const lax = { ...given, alwaysDenyRules: {}, shouldAvoidPermissionPrompts: false };
        const { behavior } = decide(shellFacts(command), lax);
        const isRefused = given.mode === 'plan' || given.mode === 'dontAsk';
        expect(behavior).toBe(isRefused ? 'deny' : 'ask');
      }),
      { numRuns: 500, seed: 20_251_122 },
    );
  });

  it('never lets a protected file be changed without an ask, but in bypassPermissions', () => {
    const path = fc.constantFrom(
      '.git/config',
      'a/.git/hooks/x',
      '.npmrc',
      '.vscode/a',
      '.mcp.json',
    );
    fc.assert(
      fc.property(path, fc.boolean(), context, rule, (name, isShell, given, added) => {
        const use = isShell
          ? shellFacts(`echo x > ${name}`)
          : pathFacts('Write', `/home/u/proj/${name}`);
        const allow = {
          ...given.alwaysAllowRules,
          session: [added, 'Edit', 'Write', 'Edit(//**)'],
        };
        const asking = given.mode === 'bypassPermissions' ? 'acceptEdits' : given.mode;
        const { behavior } = decide(use, { ...given, mode: asking, alwaysAllowRules: allow });
        expect(behavior).not.toBe('allow');
      }),
      { numRuns: 500, seed: 20_251_122 },
    );
  });

  it('never lets a child do what its parent may not', () => {
    fc.assert(
      fc.property(facts, context, mode, (use, parent, asked) => {
        const child = deriveChildContext(parent, { mode: asked });
        expect(laxness(use, child)).toBeLessThanOrEqual(laxness(use, parent));
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives every decision a reason, and the same one each time', () => {
    fc.assert(
      fc.property(facts, context, (use, given) => {
        const decision = decide(use, given);
        expect(decision.decisionReason).toBeDefined();
        expect(decide(use, structuredClone(given))).toEqual(decision);
        expect(decide(JSON.parse(JSON.stringify(use)) as ToolFacts, given)).toEqual(decision); // it climbs as JSON
      }),
    );
  });
});

describe('deriveChildContext', () => {
  it('asks nobody for a child in plan mode whose parent asks nobody', () => {
    const parent = contextOf({ mode: 'dontAsk' });
    expect(deriveChildContext(parent, { mode: 'plan' })).toEqual({
      ...parent,
      mode: 'plan',
      shouldAvoidPermissionPrompts: true,
    });
    expect(deriveChildContext(parent, { mode: 'default' })).toEqual(parent);
    const asking = contextOf({ mode: 'default' });
    expect(deriveChildContext(asking, { mode: 'plan' })).toEqual({ ...asking, mode: 'plan' });
  });
});

describe('stricterMode', () => {
  it.each<[PermissionMode, PermissionMode, PermissionMode]>([
    ['default', 'bypassPermissions', 'default'],
    ['bypassPermissions', 'default', 'default'],
    ['bypassPermissions', 'acceptEdits', 'acceptEdits'],
    ['acceptEdits', 'plan', 'plan'],
    ['plan', 'dontAsk', 'plan'],
    ['dontAsk', 'plan', 'plan'],
    ['default', 'bubble', 'bubble'],
    ['auto', 'acceptEdits', 'acceptEdits'],
    ['default', 'auto', 'default'],
    ['bypassPermissions', 'auto', 'auto'],
  ])('of %s and %s is %s', (parent, child, stricter) => {
    expect(stricterMode(parent, child)).toBe(stricter);
  });
});
