import { expect, it } from 'vitest';
import { createTokenCount } from '../../../../src/actors/agents/conversation/token-count.js';
import { NO_USAGE } from '../../../../src/core/tasks/usage.js';

const using = (tokens: number) => ({ ...NO_USAGE, input_tokens: tokens });
const countOf = ({ newest, floor }: ReturnType<typeof createTokenCount>) => ({
  newest: newest(),
  floor: floor(),
});

it('the count is that of the newest reply that tells its usage', () => {
  const count = createTokenCount();
  expect(countOf(count)).toEqual({ newest: 0, floor: 0 });
  count.replied(using(700));
  count.replied(undefined);
  expect(countOf(count)).toEqual({ newest: 700, floor: 0 });
});

it('the first reply after a compaction that tells its usage sets the floor', () => {
  const count = createTokenCount();
  count.replied(using(900));
  count.compacted();
  expect(countOf(count)).toEqual({ newest: 0, floor: 0 });
  count.replied(undefined);
  count.replied(using(200));
  count.replied(using(300));
  expect(countOf(count)).toEqual({ newest: 300, floor: 200 });
});

it('a compaction that failed makes the present count the floor', () => {
  const count = createTokenCount();
  count.replied(using(900));
  count.compactionFailed();
  expect(countOf(count)).toEqual({ newest: 900, floor: 900 });
});
