import { describe, expect, it } from 'vitest';
import { lapseOf } from '../../../../src/actors/agents/permissions/lapsed-approval.js';
import type { PermissionDecision } from '../../../../src/core/decision-types.js';
import { decide } from '../../../../src/permissions/decide.js';
import { contextOf, factsOf, pathFacts } from '../../../permissions/corpus.js';

const facts = factsOf({ toolName: 'Change' });
const request = { toolName: 'Change', facts };
const ask = decide(facts, contextOf({}));
const allow: PermissionDecision = { behavior: 'allow' };
const byPerson = { by: 'terminal' };
const byHook = { by: 'check', reason: { type: 'hook', hookName: 'check' } } as const;

describe('an approval', () => {
  it('of a person holds for what the rules still ask for or allow by now', () => {
    expect(lapseOf(request, { facts, decision: ask }, byPerson, false)).toBeUndefined();
    expect(lapseOf(request, { facts, decision: allow }, byPerson, false)).toBeUndefined();
  });

  it('lapses if the rules deny the use by now', () => {
    const decision = decide(facts, contextOf({ deny: ['Change'] }));
    const { message, decisionReason: reason } = decision as { message: string } & typeof decision;
    expect(lapseOf(request, { facts, decision }, byPerson, false)).toEqual({ message, reason });
  });

  it('of a hook lapses if only a person can allow the use, and holds otherwise', () => {
    const lapse = lapseOf(request, { facts, decision: ask }, byHook, false);
    expect(lapse?.message).toMatch(/^Permission lapsed: check allowed it, and only a person can\./);
    expect(lapse?.reason).toEqual(ask.decisionReason);
    expect(lapseOf(request, { facts, decision: allow }, byHook, false)).toBeUndefined();
  });

  it('lapses if the use would touch another file than the one asked about, unless it was edited', () => {
    const asked = { toolName: 'Write', facts: pathFacts('Write', '/work/project/a') };
    const now = { facts: pathFacts('Write', '/work/project/b'), decision: ask };
    const message =
      'Permission lapsed: what Write would touch changed while the question stood open. Try again.';
    expect(lapseOf(asked, now, byPerson, false)).toEqual({
      message,
      reason: { type: 'safetyCheck', reason: message, classifierApprovable: false },
    });
    expect(lapseOf(asked, now, byPerson, true)).toBeUndefined();
  });
});
