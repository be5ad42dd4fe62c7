import type { AnyActorRef } from 'xstate';

/** Since when each actor has been in its state: other changes of its snapshot do not count. */
export interface StateTimes {
  observe(actor: AnyActorRef, snapshot: object): void;
  /** Epoch ms. */
  since(actor: AnyActorRef): number;
}

type Stay = { readonly state: unknown; readonly at: number };

export function createStateTimes(now: () => number): StateTimes {
  const stays = new WeakMap<AnyActorRef, Stay>();
  return {
    observe(actor, snapshot) {
      const { value, status } = snapshot as { readonly value?: unknown; readonly status?: unknown };
      const state = value ?? status; // an actor that is no machine has no value
      const stay = stays.get(actor);
      if (stay === undefined || !isSameState(stay.state, state))
        stays.set(actor, { state, at: now() });
    },
    since: (actor) => stays.get(actor)?.at ?? now(),
  };
}

/** Compares the values of machines: names, or records of them. */
function isSameState(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => isSameState(Reflect.get(one, key), Reflect.get(other, key)))
  );
}
