import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  PERMISSION_MODES,
  type PermissionMode,
  type ToolPermissionContext,
} from '../../src/core/permission-types.js';
import { decide } from '../../src/permissions/decide.js';
import type { ToolFacts } from '../../src/permissions/facts.js';
import { deriveChildContext, stricterMode } from '../../src/permissions/modes.js';
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
    fc.assert(
      fc.property(facts, context, rule, (use, given, added) => {
        const before = decide(use, given);
        const after = decide(use, {
          ...given,
          alwaysAllowRules: { ...given.alwaysAllowRules, session: [added] },
        });
        const reason = before.decisionReason;
        fc.pre(reason?.type === 'rule' && reason.rule.behavior !== 'allow');
        expect(after.behavior).toBe(before.behavior);
      }),
      { numRuns: 1_000 },
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
