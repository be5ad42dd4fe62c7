import { describe, expect, it } from 'vitest';
import type { CronEntry } from '../../../src/core/time/cron-entry.js';
import { schedulerMachine, type SchedulerEvent } from '../../../src/machines/schedule/scheduler.js';
import { explore } from '../../support/explore.js';
import { play } from '../../support/explore-steps.js';
import { agentId } from '../samples.js';

const entryOf = (parts: Partial<CronEntry> = {}): CronEntry => ({
  id: 'cron-00000001',
  agentId,
  cron: '* * * * *',
  timeZone: 'UTC',
  prompt: 'Look.',
  recurring: true,
  createdAt: 0,
  expiresAt: 1_000,
  nextAt: 100,
  ...parts,
});
const entry = entryOf();
const other = entryOf({ id: 'cron-00000002', nextAt: 50 });
const add = (one: CronEntry): SchedulerEvent => ({ type: 'cron.add', entry: one });
const due = (at: number, parts: { nextAt?: number; isUntaken?: boolean } = {}): SchedulerEvent => ({
  type: 'cron.due',
  at,
  due: [{ id: entry.id, isUntaken: false, ...parts }],
});

describe('schedulerMachine', () => {
  it('waits for the first of its times', () => {
    const { snapshot, did } = play(schedulerMachine, undefined, [add(entry), add(other)], 0);
    expect(snapshot.value).toBe('waiting');
    expect(did).toEqual([
      ['arm', { at: 100 }],
      ['arm', { at: 50 }],
    ]);
  });

  it('fires an entry and waits for its next time', () => {
    const { snapshot, did } = play(schedulerMachine, undefined, [
      add(entry),
      due(100, { nextAt: 200 }),
    ]);
    const next = { ...entry, lastAt: 100, nextAt: 200 };
    expect(snapshot.context.entries).toEqual({ [entry.id]: next });
    expect(did).toEqual([
      ['fire', { entry, isLast: false }],
      ['record', { id: entry.id, agentId, next }],
      ['arm', { at: 200 }],
    ]);
  });

  it('holds back what comes before the last was taken', () => {
    const next = { ...entry, nextAt: 200 };
    expect(
      play(schedulerMachine, undefined, [add(entry), due(100, { nextAt: 200, isUntaken: true })])
        .did,
    ).toEqual([
      ['record', { id: entry.id, agentId, next }],
      ['arm', { at: 200 }],
    ]);
  });

  it.each([
    ['comes but once', entryOf({ recurring: false }), 200],
    ['would next come after it has expired', entry, 1_001],
    ['has no next time', entry, undefined],
  ])('drops an entry that %s', (_, one, nextAt) => {
    const { snapshot, did } = play(schedulerMachine, undefined, [
      add(one),
      due(100, nextAt === undefined ? {} : { nextAt }),
    ]);
    expect(snapshot.value).toBe('empty');
    expect(did).toEqual([
      ['fire', { entry: one, isLast: true }],
      ['record', { id: one.id, agentId }],
      ['arm', { at: undefined }],
    ]);
  });

  it('fires nothing that was removed or is not due', () => {
    const early = play(schedulerMachine, undefined, [add(entry), due(99, { nextAt: 200 })]);
    expect([early.snapshot.context.entries, early.did]).toEqual([
      { [entry.id]: entry },
      [['arm', { at: 100 }]],
    ]);
    const removed = play(schedulerMachine, undefined, [
      add(entry),
      add(other),
      { type: 'cron.remove', ids: [entry.id] },
      due(100, { nextAt: 200 }),
    ]);
    expect(removed.did).toEqual([['arm', { at: 50 }]]);
  });

  /** The scheduler lives as long as its orchestrator: it has no end, but no entry stays in it either. */
  it('can be emptied from every snapshot', () => {
    const findings = explore('scheduler', schedulerMachine, {
      events: ({ context }) => [
        ...[entry, other].filter(({ id }) => !(id in context.entries)).map(add),
        ...[true, false].flatMap((isUntaken) => [
          due(100, { nextAt: 200, isUntaken }),
          due(200, { isUntaken }),
        ]),
        { type: 'cron.remove' as const, ids: [entry.id, other.id] },
        { type: 'cron.remove' as const, ids: [other.id] },
      ],
      isEnd: ({ value }) => value === 'empty',
    });
    expect({ ...findings, restless: [] }).toEqual({
      stuck: [],
      restless: [],
      crashed: [],
      differing: [],
      wide: [],
    });
  });
});
