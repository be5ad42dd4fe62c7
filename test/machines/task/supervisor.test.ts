import { createActor, setup, waitFor, type AnyActorRef, type EventObject } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { PermissionRequest, TaskInput } from '../../../src/core/events.js';
import { RequestId, TaskId } from '../../../src/core/ids.js';
import { supervisorMachine } from '../../../src/machines/task/supervisor.js';
import { taskMachine } from '../../../src/machines/task/task.js';
import { allowed, askFrom, taskId, taskOf } from '../samples.js';

const idOf = (number: number): TaskId => TaskId.parse(`a${String(number).padStart(8, '0')}`);
const requestOf = (number: number): RequestId =>
  RequestId.parse(`ask_${String(number).padStart(12, '0')}`);

/** A child that notes its events, and crashes or ends when an event asks for it, or is killed. */
function childThat(hears: string[]) {
  return setup({
    types: { input: {} as TaskInput, context: {} as TaskInput, events: {} as EventObject },
  }).createMachine({
    context: ({ input }) => input,
    initial: 'running',
    on: {
      '*': { actions: ({ context, event }) => void hears.push(`${context.id} ${event.type}`) },
      'task.crash': {
        actions: () => {
          throw new Error('boom');
        },
      },
    },
    states: {
      running: { on: { 'task.end': 'done', 'task.kill': 'done' } },
      done: { type: 'final' },
    },
    output: { status: 'completed', result: 'ok' },
  });
}

/** A task that has `count` children, each of which would hold its agent back; what its work and its parent hear. */
function startTask(count: number) {
  const workHears: EventObject[] = [];
  const parentHears: EventObject[] = [];
  const childrenHear: string[] = [];
  const kinds = { local_agent: childThat(childrenHear), local_bash: childThat(childrenHear) };
  const work = setup({ types: { events: {} as EventObject } }).createMachine({
    initial: 'running',
    on: { '*': { actions: ({ event }) => void workHears.push(event) } },
    states: {
      running: { on: { 'work.stop': 'done', 'work.end': 'done' } },
      done: { type: 'final' },
    },
    output: { status: 'completed', result: 'ok' },
  });
  const task = createActor(
    taskMachine.provide({
      actors: { work, ...kinds, supervisor: supervisorMachine.provide({ actors: kinds }) },
      actions: {
        tellParent: (_, message) => void parentHears.push(message),
        sweep: ({ self }) => queueMicrotask(() => self.send({ type: 'task.swept' })),
      },
    }),
    { input: taskOf(taskId) },
  ).start();
  task.send({ type: 'task.start' });
  for (let number = 1; number <= count; number += 1)
    task.send({ type: 'task.spawn', task: taskOf(idOf(number)) });
  const child = (number: number): AnyActorRef => {
    const { children } = task.getSnapshot();
    const own = children as Readonly<Record<string, AnyActorRef>>; // under the ids they were given
    const found = Object.entries(own).map(([id, actor]) =>
      id === idOf(number) ? actor : actor.getSnapshot().children?.[idOf(number)],
    );
    return found.find((one) => one !== undefined) as AnyActorRef; // spawned above
  };
  return { task, child, workHears, parentHears, childrenHear };
}

function askOf(number: number): PermissionRequest {
  return askFrom(idOf(number), { requestId: requestOf(number), taskId: idOf(number) });
}

describe('a task with many children', () => {
  it('has no more than 25 direct children, and no supervisor has more', () => {
    const { task, workHears } = startTask(80);
    const { children, context } = task.getSnapshot();
    expect(context.children).toHaveLength(25);
    expect(context.supervisors).toEqual({
      'sup-1': { live: 25, holding: 25 },
      'sup-2': { live: 25, holding: 25 },
      'sup-3': { live: 5, holding: 5 },
    });
    expect(Object.keys(children)).toHaveLength(1 + 25 + 3);
    expect(workHears.at(-1)).toEqual({ type: 'children.changed', holding: 80 });
  });

  it('tells its work of the end of each, and ends supervisors that have none left', () => {
    const { task, child, workHears } = startTask(27);
    child(26).send({ type: 'task.end' });
    expect(workHears.slice(-2)).toEqual([
      {
        type: 'task.notification',
        id: idOf(26),
        kind: 'local_agent',
        outcome: { status: 'completed', result: 'ok' },
      },
      { type: 'children.changed', holding: 26 },
    ]);
    child(27).send({ type: 'task.end' });
    expect(task.getSnapshot().context.supervisors).toEqual({});
    expect(Object.keys(task.getSnapshot().children)).toHaveLength(1 + 25);
    task.send({ type: 'task.spawn', task: taskOf(idOf(28)) });
    expect(task.getSnapshot().context.supervisors).toEqual({ 'sup-1': { live: 1, holding: 1 } });
  });

  it('fills a supervisor that has room before it makes another', () => {
    const { task, child } = startTask(75);
    child(30).send({ type: 'task.end' });
    task.send({ type: 'task.spawn', task: taskOf(idOf(76)) });
    expect(task.getSnapshot().context.supervisors).toEqual({
      'sup-1': { live: 25, holding: 25 },
      'sup-2': { live: 25, holding: 25 },
    });
  });

  it('passes permission requests on without a hop of a supervisor, and each decision to the child that asked', () => {
    const { task, child, parentHears, childrenHear } = startTask(30);
    for (const number of [28, 29]) child(number)._parent?.send(askOf(number));
    expect(parentHears).toEqual(
      [28, 29].map((number) => ({
        ...askOf(number),
        from: taskId,
        path: [{ actor: taskId, verdict: 'passed on', at: 1 }],
      })),
    );
    const decision = allowed({ requestId: requestOf(29) });
    childrenHear.length = 0;
    task.send(decision);
    task.send(decision); // a late one harms nobody
    expect(childrenHear).toEqual([`${idOf(29)} permission.decision`]);
  });

  it('withdraws the permission requests of a child that crashes, and of no other', () => {
    const { task, child, parentHears, workHears, childrenHear } = startTask(30);
    for (const number of [28, 29]) child(number)._parent?.send(askOf(number));
    parentHears.length = 0;
    child(28).send({ type: 'task.crash' });
    expect(parentHears).toEqual([{ type: 'permission.cancel', requestId: requestOf(28) }]);
    expect(workHears.at(-2)).toMatchObject({
      type: 'task.notification',
      id: idOf(28),
      outcome: { status: 'failed' },
    });
    childrenHear.length = 0;
    for (const number of [28, 29]) task.send(allowed({ requestId: requestOf(number) }));
    expect(childrenHear).toEqual([`${idOf(29)} permission.decision`]);
  });

  it('ends with all of them', async () => {
    const { task, childrenHear } = startTask(60);
    childrenHear.length = 0;
    task.send({ type: 'task.kill', reason: 'enough' });
    const { output, context, children } = await waitFor(task, ({ status }) => status === 'done');
    expect(output).toEqual({ status: 'killed', reason: 'enough' });
    expect([context.children, context.supervisors]).toEqual([[], {}]);
    expect(Object.keys(children).filter((id) => id !== 'work')).toEqual([]);
  });

  it('kills those that are left when its work has ended', async () => {
    const { task, child } = startTask(26);
    (task.getSnapshot().children['work'] as AnyActorRef).send({ type: 'work.end' });
    expect((await waitFor(task, ({ status }) => status === 'done')).output).toEqual({
      status: 'completed',
      result: 'ok',
    });
    expect(child(26)).toBeUndefined();
  });

  it('has none of a child that was sent to the background notified twice', () => {
    const { task, child, workHears } = startTask(25);
    task.send({ type: 'task.spawn', task: taskOf(idOf(26), { isBackgrounded: false }) });
    task.send({ type: 'task.spawn', task: taskOf(idOf(27), { isBackgrounded: false }) });
    child(26)._parent?.send({ type: 'task.backgrounded', id: idOf(26) });
    for (const number of [26, 27]) child(number).send({ type: 'task.end' });
    expect(workHears.filter(({ type }) => type === 'task.notification')).toMatchObject([
      { id: idOf(26) },
    ]);
  });
});
