import { describe, expect, it } from 'vitest';
import { continuationOf, failureOfStop, isStoppedShort } from '../../src/model/stop-reasons.js';

describe('a stop reason', () => {
  it.each([
    ['end_turn', undefined, false, undefined],
    ['tool_use', undefined, false, undefined],
    ['stop_sequence', undefined, false, undefined],
    ['something_new', undefined, false, undefined],
    [null, undefined, false, undefined],
    ['max_tokens', 'cut', true, undefined],
    ['pause_turn', 'paused', false, undefined],
    ['refusal', undefined, true, 'REFUSED'],
    ['model_context_window_exceeded', 'cut', true, 'CONTEXT_WINDOW_EXCEEDED'],
  ] as const)(
    '%s says how the turn continues, or why it cannot',
    (reason, goesOn, isShort, code) => {
      expect(continuationOf(reason)).toBe(goesOn);
      expect(isStoppedShort(reason)).toBe(isShort);
      expect(failureOfStop(reason, undefined)?.code).toBe(code);
    },
  );
});
