import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addSharedTask,
  applySharedTasks,
  blocksOf,
  changeSharedTask,
  NO_SHARED_TASKS,
  type SharedTaskActor,
  type SharedTaskChange,
  type SharedTasks,
} from '../../../src/core/tasks/shared-task.js';

const everybody = (): boolean => true;
const ann: SharedTaskActor = { name: 'ann', isLead: false, isLive: everybody };
const bob: SharedTaskActor = { name: 'bob', isLead: false, isLive: everybody };
const lead: SharedTaskActor = { name: 'main', isLead: true, isLive: everybody };

function listOf(...subjects: readonly string[]): SharedTasks {
  return subjects.reduce<SharedTasks>(
    (list, subject) =>
      applySharedTasks(list, {
        changed: [addSharedTask(list, { subject, description: '' })],
        deleted: [],
      }),
    NO_SHARED_TASKS,
  );
}

/** The list after changes that are all possible. */
function after(
  list: SharedTasks,
  ...changes: readonly (readonly [string, SharedTaskChange, SharedTaskActor])[]
): SharedTasks {
  return changes.reduce((now, [id, change, by]) => {
    const outcome = changeSharedTask(now, id, change, by);
    if ('problem' in outcome) throw new Error(outcome.problem);
    return applySharedTasks(now, outcome);
  }, list);
}

describe('a shared task', () => {
  it('is numbered from 1, and a number is never used again', () => {
    const list = after(listOf('a', 'b'), ['2', { status: 'deleted' }, lead]);
    expect(addSharedTask(list, { subject: 'c', description: '' })).toEqual({
      id: '3',
      subject: 'c',
      description: '',
      status: 'pending',
      blockedBy: [],
    });
  });

  it('belongs to the first who starts it', () => {
    const list = after(listOf('a'), ['1', { status: 'in_progress' }, ann]);
    expect(list.tasks.get('1')).toMatchObject({ status: 'in_progress', owner: 'ann' });
    expect(changeSharedTask(list, '1', { status: 'in_progress' }, bob)).toEqual({
      problem: '#1 belongs to ann',
    });
    expect(changeSharedTask(list, '1', { owner: 'bob' }, bob)).toEqual({
      problem: '#1 belongs to ann',
    });
  });

  it('is given away by its owner or the lead, and taken over from one that has ended', () => {
    const list = after(listOf('a'), ['1', { status: 'in_progress' }, ann]);
    const isOver = { ...bob, isLive: (name: string) => name !== 'ann' };
    expect(after(list, ['1', { owner: 'bob' }, lead]).tasks.get('1')?.owner).toBe('bob');
    expect(after(list, ['1', { owner: ' ' }, lead]).tasks.get('1')).not.toHaveProperty('owner');
    expect(after(list, ['1', { status: 'pending', owner: '' }, ann]).tasks.get('1')).toEqual(
      listOf('a').tasks.get('1'),
    );
    expect(after(list, ['1', { status: 'in_progress' }, isOver]).tasks.get('1')?.owner).toBe('bob');
  });

  it('is theirs who complete it after its owner has ended, and not theirs who note something', () => {
    const list = after(listOf('a'), ['1', { status: 'in_progress' }, ann]);
    const isOver = { ...bob, isLive: (name: string) => name !== 'ann' };
    const ownerAfter = (change: SharedTaskChange) =>
      after(list, ['1', change, isOver]).tasks.get('1')?.owner;
    expect(ownerAfter({ status: 'completed' })).toBe('bob');
    expect(ownerAfter({ description: 'Seen.' })).toBe('ann');
    expect(ownerAfter({ status: 'pending' })).toBe('ann');
    const done = after(list, ['1', { status: 'completed' }, ann]);
    for (const change of [{ status: 'completed' }, { description: 'Seen.' }] as const)
      expect(after(done, ['1', change, isOver]).tasks.get('1')?.owner).toBe('ann');
  });

  it('waits for those that block it, and no longer', () => {
    const list = after(listOf('a', 'b'), ['2', { addBlockedBy: ['1'] }, lead]);
    expect(blocksOf(list, '1')).toEqual(['2']);
    for (const change of [
      { status: 'in_progress' },
      { status: 'completed' },
      { owner: 'ann' },
    ] as const)
      expect(changeSharedTask(list, '2', change, ann)).toEqual({
        problem: '#2 is blocked by #1, which is not completed',
      });
    const done = after(list, ['1', { status: 'completed' }, bob]);
    expect(after(done, ['2', { status: 'in_progress' }, ann]).tasks.get('2')?.owner).toBe('ann');
    const gone = after(list, ['1', { status: 'deleted' }, lead]);
    expect(gone.tasks.get('2')?.blockedBy).toEqual([]);
  });

  it('is changed no more when it is completed, and gets no blocker when it is begun', () => {
    const list = after(listOf('a', 'b'), ['1', { status: 'completed' }, ann]);
    expect(changeSharedTask(list, '1', { status: 'pending' }, lead)).toEqual({
      problem: '#1 is completed: create another task for further work',
    });
    expect(changeSharedTask(list, '2', { addBlocks: ['1'] }, ann)).toEqual({
      problem: '#1 is completed already: no task can be put before it',
    });
  });

  it('says what is wrong with a task that is not there, and with a circle', () => {
    const list = after(
      listOf('a', 'b', 'c'),
      ['2', { addBlockedBy: ['1'] }, lead],
      ['3', { addBlockedBy: ['2'] }, lead],
    );
    expect(changeSharedTask(list, '9', {}, ann)).toEqual({
      problem: 'there is no task #9; there are #1, #2, #3',
    });
    expect(changeSharedTask(NO_SHARED_TASKS, '1', {}, ann)).toEqual({
      problem: 'there is no task #1, the list is empty',
    });
    expect(changeSharedTask(list, '1', { addBlockedBy: ['3'] }, lead)).toEqual({
      problem: 'the tasks would block each other: #1 ← #3 ← #2 ← #1',
    });
    expect(changeSharedTask(list, '1', { addBlockedBy: ['1'] }, lead)).toEqual({
      problem: 'the tasks would block each other: #1 ← #1',
    });
  });
});

const member = fc.integer({ min: 1, max: 20 }).map((number) => `m${number}`);
const task = fc.integer({ min: 1, max: 12 }).map(String);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('claim' as const), task, member }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('complete' as const), task, member }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('create' as const), member }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('block' as const), task, by: task, member }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('release' as const), task, member }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const), task }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('a list that twenty members change in any order', () => {
  it('has one owner a task, loses none, and never waits for itself', () => {
    const counts = { runs: 0, claims: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 120 }), (steps) => {
        counts.runs += 1;
        const problems: string[] = [];
        const check = (isTrue: boolean, problem: string): void => {
          if (!isTrue) problems.push(problem);
        };
        let list = listOf('a', 'b', 'c', 'd');
        const owners = new Map<string, string>();
        const there = new Set(list.tasks.keys());
        for (const one of steps) {
          if (one.type === 'create') {
            const added = addSharedTask(list, { subject: 'more', description: '' });
            check(!there.has(added.id), `#${added.id} is there already`);
            list = applySharedTasks(list, { changed: [added], deleted: [] });
            there.add(added.id);
            continue;
          }
          const by = one.type === 'delete' ? lead : { ...ann, name: one.member };
          const outcome = changeSharedTask(list, one.task, changeOf(one), by);
          if ('problem' in outcome) {
            counts.refused += 1;
            continue;
          }
          if (one.type === 'claim' || one.type === 'complete') {
            counts.claims += 1;
            const blockers = list.tasks.get(one.task)?.blockedBy ?? [];
            const isFree = blockers.every((id) => list.tasks.get(id)?.status === 'completed');
            check(isFree, `#${one.task} was started before its time`);
            const owner = owners.get(one.task);
            const isRepeated = list.tasks.get(one.task)?.status === 'completed';
            const isFirst = isRepeated || owner === undefined || owner === one.member;
            check(isFirst, `#${one.task} of ${owner ?? ''} went to ${one.member}`);
            if (!isRepeated) owners.set(one.task, one.member);
          }
          if (one.type === 'release') owners.delete(one.task);
          list = applySharedTasks(list, outcome);
          if (one.type === 'delete') {
            there.delete(one.task);
            owners.delete(one.task);
          }
          check(!hasCircle(list), 'tasks wait for themselves');
        }
        expect(new Set(list.tasks.keys())).toEqual(there);
        for (const { id, status, owner } of list.tasks.values())
          check(status === 'pending' || owner === owners.get(id), `#${id} has another owner`);
        expect(problems).toEqual([]);
      }),
      { numRuns: 1_000, seed: 7 },
    );
    console.log(
      `shared list: ${counts.runs} runs, ${counts.claims} claims, ${counts.refused} refused`,
    );
    expect(counts.runs).toBe(1_000);
  });

  it('gives each of many claims at once to one member', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          Array.from({ length: 20 }, (_, i) => `m${i}`),
          { minLength: 20 },
        ),
        (order) => {
          let list = listOf('a');
          const won = order.filter((name) => {
            const outcome = changeSharedTask(
              list,
              '1',
              { status: 'in_progress' },
              { ...ann, name },
            );
            if ('problem' in outcome) return false;
            list = applySharedTasks(list, outcome);
            return true;
          });
          expect(won).toEqual([order[0]]);
        },
      ),
      { numRuns: 1_000, seed: 7 },
    );
  });
});

function changeOf(one: Exclude<Step, { type: 'create' }>): SharedTaskChange {
  switch (one.type) {
    case 'claim':
      return { status: 'in_progress' };
    case 'complete':
      return { status: 'completed' };
    case 'block':
      return { addBlockedBy: [one.by] };
    case 'release':
      return { status: 'pending', owner: '' };
    case 'delete':
      return { status: 'deleted' };
  }
}

/** Takes away what waits for nothing until nothing is left: what stays waits for itself. */
function hasCircle({ tasks }: SharedTasks): boolean {
  const left = new Map([...tasks.values()].map(({ id, blockedBy }) => [id, blockedBy]));
  for (let size = -1; size !== left.size;) {
    size = left.size;
    for (const [id, blockedBy] of left)
      if (!blockedBy.some((one) => left.has(one))) left.delete(id);
  }
  return left.size > 0;
}
