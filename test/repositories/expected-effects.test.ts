import { describe, expect, it } from 'vitest';
import { expectedEffects, isMatched } from '../../scripts/repositories/expected-effects.mjs';

const said = (stdout: object | string, code = 0, stderr = '') => ({
  code,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr,
});
const forCall = (fields: object) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields },
});
const effect = (kind: string, text = '', more = {}) => ({ kind, text, ...more });

describe('the effects of the output of a hook, by the published rules', () => {
  it.each([
    ['PreToolUse', said('', 2, 'No.\n'), [effect('blocks', 'No.')]],
    ['PostToolUse', said('', 2, 'Late.'), [effect('adds', 'Late.')]],
    ['Notification', said('', 2, 'No.'), []],
    ['PreToolUse', said('', 1, 'Broken.'), []],
    ['WorktreeCreate', said('', 1, 'Broken.'), [effect('blocks')]],
    ['SessionStart', said('Text.\n'), [effect('adds', 'Text.')]],
    ['PreToolUse', said('Text.\n'), []],
    ['Stop', said({ decision: 'block', reason: 'More.' }), [effect('blocks', 'More.')]],
    ['PostToolUse', said({ decision: 'block', reason: 'Why.' }), [effect('adds', 'Why.')]],
    [
      'PreToolUse',
      said(forCall({ permissionDecision: 'deny', permissionDecisionReason: 'Why.' })),
      [effect('blocks', 'Why.')],
    ],
    [
      'PreToolUse',
      said(forCall({ permissionDecision: 'deny', permissionDecisionReason: 'Why.' }), 2, 'Else.'),
      [effect('blocks', 'Why.')],
    ],
    ['PreToolUse', said(forCall({ permissionDecision: 'allow' })), [effect('allows')]],
    ['PreToolUse', said(forCall({ permissionDecision: 'allow' }), 1), [effect('allows')]],
    ['PreToolUse', said(forCall({ permissionDecision: 'ask' })), [effect('asks')]],
    [
      'PreToolUse',
      said(forCall({ updatedInput: { a: 1 } })),
      [effect('changes', '', { input: { a: 1 } })],
    ],
    ['PostToolUse', said(forCall({ additionalContext: 'Of another event.' })), []],
    ['Stop', said({ continue: false, stopReason: 'Enough.' }), [effect('stops', 'Enough.')]],
    ['SessionStart', said('{"async": true}\n{"other": 1}'), []],
  ] as const)('%s: %j', (event, output, effects) => {
    expect(expectedEffects(event, output)).toEqual(effects);
  });

  it.each([
    [undefined, true],
    ['*', true],
    ['Edit|Write', true],
    ['Edit, Write', true],
    ['Wri', false],
    ['W.*', true],
    ['Bash', false],
  ])('the matcher %j for the tool Write: %s', (matcher, isOne) => {
    expect(isMatched(matcher, { hook_event_name: 'PreToolUse', tool_name: 'Write' })).toBe(isOne);
  });
});
