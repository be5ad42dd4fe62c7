import { describe, expect, it } from 'vitest';
import {
  assign,
  createActor,
  createMachine,
  enqueueActions,
  fromPromise,
  raise,
  sendParent,
  setup,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type DoneActorEvent,
  type InspectionEvent,
} from 'xstate';
import { withPreparedSteps } from '../../../src/machines/steps/prepared-steps.js';

/** Ends at once, with what it was started with. */
const child = createMachine({
  types: {} as { input: { readonly number: number } },
  context: ({ input }) => input,
  initial: 'born',
  states: {
    born: { always: 'gone', entry: sendParent({ type: 'child.here' }) },
    gone: { type: 'final' },
  },
  output: ({ context }) => context.number,
});

/** Has everything that our machines use. */
const counter = setup({
  types: {
    context: {} as { readonly count: number; readonly seen: readonly string[] },
    events: {} as { type: 'add'; by: number } | { type: 'child.here' | 'again' | 'end' | 'echo' },
  },
  actors: { child },
  actions: {
    note: assign({ seen: ({ context }, what: string) => [...context.seen, what] }),
    custom: (_, _params: { readonly count: number }) => {},
  },
  guards: { isOver: ({ context }, limit: number) => context.count > limit },
}).createMachine({
  context: { count: 0, seen: [] },
  initial: 'counting',
  on: { '*': { actions: { type: 'note', params: ({ event }) => event.type } } },
  states: {
    counting: {
      tags: 'busy',
      initial: 'low',
      entry: { type: 'note', params: 'entry' },
      exit: { type: 'note', params: 'exit' },
      on: {
        add: {
          actions: [
            assign({ count: ({ context, event }) => context.count + event.by }),
            { type: 'custom', params: ({ context: { count } }) => ({ count }) },
            enqueueActions(({ context, enqueue, check }) => {
              enqueue.spawnChild('child', {
                id: `child-${context.count}`,
                input: { number: context.count },
              });
              enqueue.raise({ type: 'echo' });
              if (check({ type: 'isOver', params: 2 })) enqueue('custom' as never);
            }),
          ],
        },
        'xstate.done.actor.*': {
          actions: [
            assign({ count: ({ context, event }) => context.count + (event.output as number) }),
            enqueueActions(({ event, enqueue }) =>
              enqueue.stopChild((event as DoneActorEvent).actorId),
            ),
          ],
        },
        again: { target: 'counting', reenter: true },
        end: 'ended',
      },
      states: {
        low: { always: { guard: { type: 'isOver', params: 5 }, target: 'high' } },
        high: { on: { again: { actions: raise({ type: 'add', by: 1 }) } } },
      },
    },
    ended: { type: 'final', exit: { type: 'note', params: 'ended' }, output: 'the end' },
  },
  output: ({ context, event }) => ({ ...context, event }),
});

/** The inspection events of the actor and its children, and how it ended. */
function run(logic: AnyActorLogic, events: readonly { readonly type: string }[]) {
  const told: unknown[] = [];
  const inspect = (event: InspectionEvent): void => void told.push(toPlain(event));
  const actor = createActor(logic, { id: 'root', inspect });
  actor.subscribe({ error: (error) => told.push(String(error)) });
  actor.start();
  for (const event of events) actor.send(event);
  const { status, output } = actor.getSnapshot() as AnyMachineSnapshot;
  return { told, end: { status, output: output as unknown } };
}

function toPlain(event: InspectionEvent): unknown {
  const { type, actorRef } = event;
  const { id } = actorRef as AnyActorRef;
  if (type === '@xstate.actor') return [type, id];
  if (type === '@xstate.event') return [type, id, event.event];
  if (type === '@xstate.action') return [type, id, event.action.type];
  const { status, value, context, tags = [], children = {} } = event.snapshot as AnyMachineSnapshot;
  const { _transitions: taken } = event as { readonly _transitions?: readonly unknown[] };
  const at = { status, value, context, tags: [...tags], children: Object.keys(children) };
  return [type, id, event.event, taken?.length, at];
}

describe('actors with prepared steps', () => {
  it('do what those of xstate do, in the same order, and tell an inspector the same', () => {
    const events = [
      { type: 'unknown' },
      { type: 'add', by: 1 },
      { type: 'again' },
      { type: 'add', by: 2 },
      { type: 'again' },
      { type: 'end' },
    ];
    const { told, end } = run(withPreparedSteps(counter), events);
    expect({ told, end }).toEqual(run(counter, events));
    expect(end).toEqual({
      status: 'done',
      output: {
        count: 18,
        seen: [
          'entry',
          'unknown',
          'echo',
          'child.here',
          'exit',
          'entry',
          'echo',
          'child.here',
          'echo',
          'child.here',
          'exit',
        ],
        event: { type: 'xstate.done.state.(machine).ended', output: 'the end' },
      },
    });
  });

  it('fail as those of xstate do when a child fails that nobody looks after', () => {
    const failing = createMachine({
      invoke: { src: fromPromise(() => Promise.reject(new Error('no'))) },
      initial: 'waiting',
      states: { waiting: {} },
    });
    const error = { type: 'xstate.error.actor.x', actorId: 'x', error: 'no' };
    expect(run(withPreparedSteps(failing), [error])).toEqual(run(failing, [error]));
  });

  it.each([
    ['is parallel', { type: 'parallel', states: { a: {} } }],
    ['is a history', { initial: 'a', states: { a: {}, past: { type: 'history' } } }],
    ['has delays', { initial: 'a', states: { a: { after: { 10: 'a' } } } }],
    [
      'is final within another',
      { initial: 'a', states: { a: { initial: 'b', states: { b: { type: 'final' } } } } },
    ],
    ['has initial actions', { initial: { target: 'a', actions: 'x' }, states: { a: {} } }],
    [
      'has an onSnapshot',
      { initial: 'a', states: { a: { invoke: { src: 'x', onSnapshot: 'a' } } } },
    ],
  ] as const)('are refused for a machine with a state that %s', (_, config) => {
    const machine = createMachine({ id: 'odd', ...config } as object);
    expect(() => withPreparedSteps(machine)).toThrow(
      /^The state odd.* is parallel, a history, .*: run its machine with xstate's own steps\.$/,
    );
  });

  it('are refused if a guard is missing, or more than a function', () => {
    const machine = createMachine({ id: 'odd', on: { go: { guard: 'isThere' } } } as object);
    const error = 'Error: The guard isThere of the machine odd is not a function.';
    expect(run(withPreparedSteps(machine), [{ type: 'go' }]).told).toContain(error);
  });
});
