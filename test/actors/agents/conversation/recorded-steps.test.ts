import { describe, expect, it } from 'vitest';
import { createRecordedSteps } from '../../../../src/actors/agents/conversation/recorded-steps.js';

const begun = (key: string) => ({ type: 'step.begun' as const, key, timestamp: 1 });
const done = (key: string, result: unknown) => ({
  type: 'step.done' as const,
  key,
  result,
  timestamp: 2,
});

describe('recorded steps', () => {
  it('give each result out once, in the order of the journal', () => {
    const steps = createRecordedSteps([done('rest', 'first'), done('rest', 'second')]);
    expect(steps.isDone('rest')).toBe(true);
    expect(steps.recall('rest')).toBe('first');
    expect(steps.isOver()).toBe(false);
    expect(steps.recall('rest')).toBe('second');
    expect(steps.isDone('rest')).toBe(false);
    expect(steps.isOver()).toBe(true);
  });

  it('tell a step that had only begun until its outcome is settled', () => {
    const steps = createRecordedSteps([begun('a'), begun('b'), done('b', 1)]);
    expect(steps.isBegun('a')).toBe(true);
    expect(steps.isBegun('b')).toBe(false); // its result is known
    expect(steps.settleBegun('a')).toBe(true);
    expect(steps.isBegun('a')).toBe(false);
    expect(steps.settleBegun('a')).toBe(false);
  });

  it('are over at once if the journal has no result', () => {
    expect(createRecordedSteps([begun('a')]).isOver()).toBe(true);
  });
});
