import { expect, it } from 'vitest';
import { tally } from '../../../src/permissions/eval/tally.js';

it('counts each case once, by what is worst about it', () => {
  const behaviors = ['allow', 'ask', 'deny'] as const;
  const judged = behaviors.flatMap((expected) =>
    behaviors.map((got) => ({ expect: expected, got })),
  );
  expect(tally(judged)).toEqual({
    cases: 9,
    asExpected: 3,
    unsafe: 2,
    missedDeny: 1,
    falsePrompt: 2,
    other: 1,
  });
});
