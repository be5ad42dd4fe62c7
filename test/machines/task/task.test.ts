import { describe, expect, it } from 'vitest';
import { createActor, toPromise, waitFor } from 'xstate';
import { toFailure } from '../../../src/core/errors.js';
import { fromWork } from '../../../src/machines/from-work.js';
import type { TaskEvent } from '../../../src/machines/task/task-setup.js';
import { taskMachine } from '../../../src/machines/task/task.js';
import { play } from '../../support/explore-steps.js';
import {
  allowed,
  askFrom,
  childId,
  otherRequestId,
  requestId,
  shellId,
  taskId,
  taskOf,
} from '../samples.js';

const machine = taskMachine.provide({ actions: { tellParent: () => {} } });
const input = taskOf(taskId, { kind: 'session', depth: 0 });
const start: TaskEvent = { type: 'task.start' };
const kill: TaskEvent = { type: 'task.kill', reason: 'interrupted' };
const swept: TaskEvent = { type: 'task.swept' };
const force: TaskEvent = { type: 'task.force' };
const child = taskOf(childId);
const shell = taskOf(shellId, { kind: 'local_bash' });
const spawnChild: TaskEvent = { type: 'task.spawn', task: child };
const spawnShell: TaskEvent = { type: 'task.spawn', task: shell };
const completed = { status: 'completed', result: 'ok' } as const;
const workDone: TaskEvent = doneOf('work', completed);
const cancelled = { type: 'permission.cancel', requestId } as const;

function doneOf(actorId: string, output: unknown): TaskEvent {
  return { type: `xstate.done.actor.${actorId}`, actorId, output };
}

function errorOf(actorId: string, error: unknown): TaskEvent {
  return { type: `xstate.error.actor.${actorId}`, actorId, error };
}

/** The actions of a started task from the event `since` on. */
const after = (events: readonly TaskEvent[], since = events.length - 1) =>
  play(machine, input, [start, ...events], since + 1);

describe('a task', () => {
  it('runs its work when it is started, and takes over how that ends', () => {
    const { snapshot, did } = play(machine, input, [start, workDone, swept], 0);
    expect(did.map(([name]) => name)).toEqual([
      'record',
      'spawn work',
      'sweep',
      'stop work',
      'record',
    ]);
    expect(did.filter(([name]) => name === 'record').map(([, params]) => params)).toEqual([
      { status: 'running' },
      { status: 'completed' },
    ]);
    expect([snapshot.value, snapshot.status, snapshot.output]).toEqual([
      'completed',
      'done',
      completed,
    ]);
  });

  it('fails as its work fails', () => {
    const failed = { status: 'failed', failure: { code: 'X', message: 'no' } } as const;
    const { snapshot } = after([doneOf('work', failed), swept]);
    expect([snapshot.value, snapshot.output]).toEqual(['failed', failed]);
  });

  it('fails when its work crashes', () => {
    const { snapshot } = after([errorOf('work', new Error('boom')), swept]);
    expect([snapshot.status, snapshot.output]).toEqual([
      'done',
      { status: 'failed', failure: { code: 'UNEXPECTED', message: 'boom' } },
    ]);
  });

  it('is killed at once when it has not started', () => {
    const { snapshot, did } = play(machine, input, [kill, start]);
    expect([snapshot.value, snapshot.output, did]).toEqual([
      'killed',
      { status: 'killed', reason: 'interrupted' },
      [],
    ]);
  });

  it('stays running until what it left behind is swept', () => {
    expect(after([workDone]).snapshot.value).toEqual({ running: { settling: 'sweeping' } });
  });

  it.each(['completed', 'failed', 'killed'])('accepts nothing when it is %s', (value) => {
    const ends = {
      completed: [workDone, swept],
      failed: [errorOf('work', 'no'), swept],
      killed: [kill, workDone, swept],
    };
    const end = ends[value as keyof typeof ends]; // the cases above
    const before = after(end).snapshot;
    const late = [start, kill, force, swept, spawnChild, askFrom('work'), allowed()];
    const { snapshot, did } = after([...end, ...late], end.length);
    expect([snapshot.value, snapshot.context, did]).toEqual([value, before.context, []]);
  });
});

describe('a task that is killed', () => {
  it('tells its children and its work to stop, and waits for both', () => {
    const { snapshot, did } = after([spawnChild, kill]);
    expect(snapshot.value).toEqual({ running: 'stopping' });
    expect(did).toEqual([
      [`to ${childId}`, { type: 'task.kill', reason: 'owner ended' }],
      ['to work', { type: 'work.stop', reason: 'interrupted' }],
      ['armDeadline', { id: taskId }],
    ]);
    const workEnded = after([spawnChild, kill, workDone]);
    expect(workEnded.snapshot.value).toEqual({ running: { settling: 'waiting' } });
    const childEnded = after([spawnChild, kill, workDone, doneOf(childId, completed)]);
    expect(childEnded.snapshot.value).toEqual({ running: { settling: 'sweeping' } });
  });

  it('stays killed when its work completes all the same', () => {
    expect(after([kill, workDone, swept]).snapshot.output).toEqual({
      status: 'killed',
      reason: 'interrupted',
    });
  });

  it('keeps the first reason', () => {
    const again: TaskEvent = { type: 'task.kill', reason: 'again' };
    const { snapshot, did } = after([kill, again], 1);
    expect([snapshot.context.outcome, did]).toEqual([
      { status: 'killed', reason: 'interrupted' },
      [],
    ]);
  });

  it('stays completed when the kill comes after the work', () => {
    expect(after([workDone, kill, swept]).snapshot.value).toBe('completed');
  });

  it('passes a message on to its work, unless it ends', () => {
    const event = { type: 'inbox.closed' };
    const message: TaskEvent = { type: 'work.send', event };
    expect(after([message]).did).toEqual([['to work', event]]);
    for (const end of [kill, workDone]) expect(after([end, message]).did).toEqual([]);
  });

  it('refuses to spawn', () => {
    const { snapshot, did } = after([kill, spawnChild]);
    expect(did).toEqual([
      ['refuse', { type: 'task.refused', id: childId, reason: `the task ${taskId} is ending` }],
    ]);
    expect(snapshot.context.children).toEqual([]);
  });

  it('does not tell its work of children that end', () => {
    expect(after([spawnChild, kill, doneOf(childId, completed)]).did).toEqual([
      [`stop ${childId}`, undefined],
    ]);
  });

  it('forces its children and its work', () => {
    expect(after([spawnChild, kill, force]).did).toEqual([
      [`to ${childId}`, force],
      ['to work', { type: 'work.force' }],
    ]);
  });

  it('forces only its children when its work has ended', () => {
    expect(after([spawnChild, workDone, force]).did).toEqual([[`to ${childId}`, force]]);
  });
});

describe('the children of a task', () => {
  it('start at once, and the work hears how many hold it', () => {
    expect(after([spawnChild]).did).toEqual([
      [`spawn ${childId}`, child],
      ['to work', { type: 'children.changed', holding: 1 }],
      [`to ${childId}`, start],
    ]);
    expect(after([spawnChild, spawnShell]).did).toEqual([
      [`spawn ${shellId}`, shell],
      [`to ${shellId}`, start],
    ]);
  });

  it('are notified of exactly once when they ran in the background', () => {
    const notification = {
      type: 'task.notification',
      id: childId,
      kind: 'local_agent',
      outcome: completed,
    };
    expect(
      after([spawnChild, doneOf(childId, completed), doneOf(childId, completed)], 1).did,
    ).toEqual([
      ['to work', notification],
      ['to work', { type: 'children.changed', holding: 0 }],
      [`stop ${childId}`, undefined],
    ]);
  });

  it('are not notified of when somebody waits for them', () => {
    const waited: TaskEvent = { type: 'task.spawn', task: { ...shell, isBackgrounded: false } };
    expect(after([waited, doneOf(shellId, completed)]).did).toEqual([
      [`stop ${shellId}`, undefined],
    ]);
  });

  it('are notified of when they crash', () => {
    expect(after([spawnChild, errorOf(childId, new Error('boom'))]).did).toEqual([
      [
        'to work',
        {
          type: 'task.notification',
          id: childId,
          kind: 'local_agent',
          outcome: { status: 'failed', failure: { code: 'UNEXPECTED', message: 'boom' } },
        },
      ],
      ['to work', { type: 'children.changed', holding: 0 }],
      [`stop ${childId}`, undefined],
    ]);
  });

  it('end before it does when its work completes', () => {
    const { snapshot, did } = after([spawnChild, spawnShell, workDone]);
    expect(snapshot.value).toEqual({ running: { settling: 'waiting' } });
    expect(did).toEqual([
      [`to ${childId}`, { type: 'task.kill', reason: 'owner ended' }],
      [`to ${shellId}`, { type: 'task.kill', reason: 'owner ended' }],
      ['armDeadline', { id: taskId }],
    ]);
    const one = after([spawnChild, spawnShell, workDone, doneOf(shellId, completed)]);
    expect(one.snapshot.value).toEqual({ running: { settling: 'waiting' } });
  });
});

describe('a task that cannot take a child', () => {
  it.each([
    ['has not started', [] as readonly TaskEvent[]],
    ['is ending', [start, kill]],
    ['is ending', [start, workDone]],
  ])('says that it %s', (why, events) => {
    expect(play(machine, input, [...events, spawnChild]).did).toEqual([
      ['refuse', { type: 'task.refused', id: childId, reason: `the task ${taskId} ${why}` }],
    ]);
  });
});

describe('a task that is sent to the background', () => {
  const background: TaskEvent = { type: 'task.background' };
  const waited = taskOf(taskId, { isBackgrounded: false });
  const told = ['tellParent', { type: 'task.backgrounded', id: taskId }] as const;
  const playWaited = (events: readonly TaskEvent[]) => play(machine, waited, [start, ...events]);

  it('tells its owner, once', () => {
    const { snapshot, did } = playWaited([background]);
    expect([snapshot.context.isBackgrounded, did]).toEqual([
      true,
      [['record', { status: 'running' }], told],
    ]);
    expect(playWaited([background, background]).did).toEqual([]);
  });

  it.each([
    ['it ends', [workDone]],
    ['it is stopping', [kill]],
    ['it has ended', [workDone, swept]],
  ] as const)('stays what it is where %s', (_, events) => {
    const { snapshot, did } = playWaited([...events, background]);
    expect([snapshot.context.isBackgrounded, did]).toEqual([false, []]);
  });

  it('stays what it is if it has no owner', () => {
    const session = taskOf(taskId, { kind: 'session', isBackgrounded: false });
    expect(play(machine, session, [start, background]).did).toEqual([]);
  });

  it('is notified of when it ends, as one that was started there', () => {
    const spawn: TaskEvent = { type: 'task.spawn', task: { ...shell, isBackgrounded: false } };
    const gone: TaskEvent = { type: 'task.backgrounded', id: shellId };
    expect(after([spawn, gone]).did).toEqual([]);
    expect(after([spawn, gone, doneOf(shellId, completed)]).did).toEqual([
      [
        'to work',
        { type: 'task.notification', id: shellId, kind: 'local_bash', outcome: completed },
      ],
      [`stop ${shellId}`, undefined],
    ]);
    expect(after([gone]).snapshot.context.children).toEqual([]); // it has no such child
  });
});

describe('an ask that passes a task', () => {
  it('continues to its parent with one more hop, and the decision goes back to the child', () => {
    const { snapshot, did } = after([spawnChild, askFrom(childId)]);
    expect(did).toEqual([
      ['tellParent', askFrom(taskId, { path: [{ actor: taskId, verdict: 'passed on', at: 1 }] })],
    ]);
    expect(snapshot.context.openRequests).toEqual({ [requestId]: childId });
    const below = { actor: childId, verdict: 'passed on', at: 1 } as const;
    expect(after([spawnChild, askFrom(childId, { path: [below] })]).did).toEqual([
      [
        'tellParent',
        askFrom(taskId, { path: [below, { actor: taskId, verdict: 'passed on', at: 1 }] }),
      ],
    ]);
    const decided = after([spawnChild, askFrom(childId), allowed()]);
    expect([decided.did, decided.snapshot.context.openRequests]).toEqual([
      [[`to ${childId}`, allowed()]],
      {},
    ]);
  });

  it('is decided once', () => {
    expect(after([askFrom('work'), allowed(), allowed()]).did).toEqual([]);
  });

  it('is withdrawn by its asker once', () => {
    const { did } = after([askFrom('work'), cancelled, cancelled, allowed()], 1);
    expect(did).toEqual([['tellParent', cancelled]]);
  });

  it('is withdrawn when the task is killed', () => {
    const other = askFrom('work', { requestId: otherRequestId });
    const { snapshot, did } = after([askFrom('work'), other, kill]);
    expect(did.filter(([name]) => name === 'tellParent')).toEqual([
      ['tellParent', cancelled],
      ['tellParent', { ...cancelled, requestId: otherRequestId }],
    ]);
    expect(snapshot.context.openRequests).toEqual({});
  });

  it('is withdrawn once though its asker withdraws it too', () => {
    expect(after([askFrom('work'), kill, cancelled]).did).toEqual([]);
  });

  it('is forgotten with the child that asked', () => {
    const ended = after([spawnChild, askFrom(childId), doneOf(childId, completed), allowed()]);
    expect([ended.did, ended.snapshot.context.openRequests]).toEqual([[], {}]);
  });

  it.each([
    ['a child', childId],
    ['its work', 'work'],
  ] as const)('is withdrawn when %s that asked crashes', (_, from) => {
    const other = { ...askFrom(from === 'work' ? childId : 'work'), requestId: otherRequestId };
    const { snapshot, did } = after([spawnChild, askFrom(from), other, errorOf(from, 'boom')]);
    expect(did.filter(([name]) => name === 'tellParent')).toEqual([['tellParent', cancelled]]);
    expect(snapshot.context.openRequests).toEqual({ [otherRequestId]: other.from });
  });
});

/** A started task that runs; its child is a task whose work ends when it is stopped, after `cleanUp`. */
function startTree(order: string[]) {
  const waits = (name: string) =>
    fromWork<unknown>(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      order.push(`${name} cleaned up`);
    }, toFailure);
  const effects = {
    tellParent: () => {},
    sweep: ({ self }: { self: { send: (event: TaskEvent) => void } }, { id }: { id: string }) => {
      order.push(`${id} swept`);
      self.send(swept);
    },
  };
  const leaf = taskMachine.provide({ actors: { work: waits('child') }, actions: effects });
  const tree = taskMachine.provide({
    actors: { work: waits('owner'), local_agent: leaf },
    actions: effects,
  });
  const task = createActor(tree, { input }).start();
  task.send(start);
  return task;
}

describe('a tree of tasks', () => {
  it('ends its leaves first', async () => {
    const order: string[] = [];
    const task = startTree(order);
    task.send(spawnChild);
    await waitFor(task, (snapshot) => childId in snapshot.children);
    await Promise.resolve(); // the works have begun
    task.send(kill);
    expect(await toPromise(task)).toEqual({ status: 'killed', reason: 'interrupted' });
    expect(order.slice().sort()).toEqual(
      ['child cleaned up', 'owner cleaned up', `${childId} swept`, `${taskId} swept`].sort(),
    );
    expect(order.at(-1)).toBe(`${taskId} swept`);
    expect(order.indexOf('child cleaned up')).toBeLessThan(order.indexOf(`${childId} swept`));
  });

  it('continues to stop when it is restored while it stops', async () => {
    const task = startTree([]);
    task.send(kill);
    const stored: unknown = JSON.parse(JSON.stringify(task.getPersistedSnapshot()));
    task.stop();
    const order: string[] = [];
    const work = fromWork<unknown>(() => {
      order.push('ran again');
      return Promise.resolve();
    }, toFailure);
    const thawed = createActor(
      taskMachine.provide({
        actors: { work },
        actions: { sweep: ({ self }) => self.send(swept) },
      }),
      // it was written by the same machine a moment ago
      { snapshot: stored as ReturnType<typeof task.getPersistedSnapshot> as never, input },
    ).start();
    expect(await toPromise(thawed)).toEqual({ status: 'killed', reason: 'interrupted' });
    expect(order).toEqual([]);
  });
});
