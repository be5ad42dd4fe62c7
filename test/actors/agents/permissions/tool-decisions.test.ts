import { describe, expect, it } from 'vitest';
import { createToolDecisions } from '../../../../src/actors/agents/permissions/tool-decisions.js';
import type { PermissionAnswer } from '../../../../src/core/decision-types.js';
import { factsOf } from '../../../permissions/corpus.js';

const facts = factsOf({ toolName: 'Change', input: { what: 'it' } });
const addRules = {
  type: 'addRules',
  behavior: 'allow',
  rules: [{ toolName: 'Other' }],
  destination: 'session',
} as const;

describe('the answers that are kept for the same use', () => {
  it.each<[string, PermissionAnswer, unknown]>([
    ['allows', { behavior: 'allow' }, { behavior: 'allow' }],
    ['denies', { behavior: 'deny' }, { behavior: 'deny', message: 'told' }],
    ['edits the input', { behavior: 'allow', updatedInput: { what: 'it' } }, undefined],
    ['changes rules', { behavior: 'allow', updatedPermissions: [addRules] }, undefined],
  ])('of one that %s', (_, answer, kept) => {
    const decisions = createToolDecisions();
    decisions.keep(facts, answer, 'told');
    expect(decisions.recall(facts, undefined)).toEqual(kept);
  });
});

it('an approval is not repeated if a rule or a check asks each time; a denial is', () => {
  const decisions = createToolDecisions();
  const why = {
    type: 'safetyCheck',
    reason: 'it is protected',
    classifierApprovable: false,
  } as const;
  decisions.keep(facts, { behavior: 'allow' }, '');
  expect(decisions.recall(facts, why)).toBeUndefined();
  decisions.keep(facts, { behavior: 'deny' }, 'No.');
  expect(decisions.recall(facts, why)).toEqual({ behavior: 'deny', message: 'No.' });
});
