import { expect, it } from 'vitest';
import { createCompactionCallers } from '../../../../src/actors/agents/compaction/compaction-callers.js';
import { CompactionFailedError } from '../../../../src/actors/agents/compaction/compaction-failed-error.js';

const report = {
  trigger: 'manual',
  preTokens: 900,
  postTokens: 90,
  summary: 'All was read.',
} as const;

it('all who wait for a compaction learn of the next one, and nobody of a later one', async () => {
  const callers = createCompactionCallers();
  const waiting = Promise.all([callers.wait(undefined), callers.wait('Keep the names.')]);
  callers.settle(report);
  const later = callers.wait(undefined);
  callers.settle(
    new CompactionFailedError({ code: 'INTERRUPTED', message: 'it was interrupted.' }),
  );
  expect(await waiting).toEqual([report, report]);
  await expect(later).rejects.toMatchObject({ code: 'INTERRUPTED' });
});

it('the newest wish holds until the compaction is settled', () => {
  const callers = createCompactionCallers();
  void callers.wait('Keep the names.');
  void callers.wait(undefined);
  expect(callers.instructions()).toBe('Keep the names.');
  void callers.wait('Keep the dates.');
  expect(callers.instructions()).toBe('Keep the dates.');
  callers.settle(report);
  expect(callers.instructions()).toBeUndefined();
});
