import { describe, expect, it } from 'vitest';
import {
  createActor,
  fromTransition,
  setup,
  type AnyActorLogic,
  type AnyEventObject,
} from 'xstate';
import { lazyLogic } from '../../src/machines/lazy-logic.js';
import { notProvided } from '../../src/machines/not-provided.js';

/** A machine that contains itself: `deepen` makes a child, down to level 4. */
function createNest() {
  const nest: AnyActorLogic = setup({
    types: { input: {} as number, context: {} as { level: number } },
    actors: { inner: lazyLogic(() => nest) },
    guards: { isDeep: ({ context }) => context.level >= 4 },
  }).createMachine({
    context: ({ input }) => ({ level: input }),
    initial: 'choosing',
    states: {
      choosing: { always: [{ guard: 'isDeep', target: 'leaf' }, { target: 'branch' }] },
      branch: {
        invoke: {
          id: 'inner',
          src: 'inner',
          input: ({ context }: { context: { level: number } }) => context.level + 1,
        },
      },
      leaf: {},
    },
  });
  return nest;
}

/** The values from the outermost machine to the innermost one. */
function valuesOf(snapshot: unknown): readonly unknown[] {
  const { value, children } = snapshot as { value: unknown; children: Record<string, unknown> };
  const { inner } = children;
  if (inner === undefined) return [value];
  return [value, ...valuesOf((inner as { snapshot: unknown }).snapshot)];
}

describe('lazyLogic', () => {
  it('lets a machine contain itself, and is stored and restored with it', () => {
    const nest = createNest();
    const first = createActor(nest, { input: 0 }).start();
    const stored = JSON.parse(JSON.stringify(first.getPersistedSnapshot()));
    expect(valuesOf(stored)).toEqual(['branch', 'branch', 'branch', 'branch', 'leaf']);
    const second = createActor(nest, { snapshot: stored, input: 0 }).start();
    expect(JSON.parse(JSON.stringify(second.getPersistedSnapshot()))).toEqual(stored);
    first.stop();
    second.stop();
  });
});

describe('lazyLogic of a machine whose children come and go', () => {
  it('hears of their ends in events of one type each, and of the end of its work in its own', () => {
    const heard: string[] = [];
    const hears = fromTransition((_, { type }: AnyEventObject) => void heard.push(type), undefined);
    const actor = createActor(lazyLogic(() => hears)).start();
    for (const actorId of ['aaaaaaaa1', 'aaaaaaaa2', 'work'])
      for (const kind of ['done', 'error'])
        actor.send({ type: `xstate.${kind}.actor.${actorId}`, actorId });
    expect(new Set(heard)).toEqual(
      new Set([
        'xstate.done.actor.child',
        'xstate.error.actor.child',
        'xstate.done.actor.work',
        'xstate.error.actor.work',
      ]),
    );
    actor.stop();
  });
});

describe('notProvided', () => {
  it('says which logic is missing when it runs', () => {
    const actor = createActor(notProvided('work'));
    const errors: unknown[] = [];
    actor.subscribe({ error: (error) => errors.push(error) });
    actor.start();
    expect(errors).toEqual([new Error('The actor logic "work" was not provided.')]);
  });
});
