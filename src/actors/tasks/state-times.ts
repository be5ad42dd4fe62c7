import type { AnyActorLogic, AnyActorRef } from 'xstate';

/** The start of each actor's present state; other changes of its snapshot do not count. */
export interface StateTimes {
  /** Wrap a logic so that the times of its actors' states are recorded. */
  of(logic: AnyActorLogic): AnyActorLogic;
  /** The start of the actor's present state, epoch ms. */
  since(actor: AnyActorRef): number;
}

type Stay = { readonly state: unknown; readonly at: number };

export function createStateTimes(now: () => number): StateTimes {
  const stays = new WeakMap<AnyActorRef, Stay>();
  const keep = (actor: AnyActorRef, { value, status }: Readonly<Record<string, unknown>>): void => {
    const state = value ?? status; // an actor without a machine has no value
    const stay = stays.get(actor);
    if (stay === undefined || !isSameState(stay.state, state))
      stays.set(actor, { state, at: now() });
  };
  return {
    of: (logic) => ({
      getInitialSnapshot(scope, input) {
        const snapshot = logic.getInitialSnapshot(scope, input);
        keep(scope.self, snapshot);
        return snapshot;
      },
      transition(snapshot, event, scope) {
        const next = logic.transition(snapshot, event, scope);
        if (next !== snapshot) keep(scope.self, next);
        return next;
      },
      start: (snapshot, scope) => logic.start?.(snapshot, scope),
      getPersistedSnapshot: (snapshot, options) => logic.getPersistedSnapshot(snapshot, options),
      restoreSnapshot: (snapshot, scope) => logic.restoreSnapshot?.(snapshot, scope) ?? snapshot,
    }),
    since: (actor) => stays.get(actor)?.at ?? now(),
  };
}

/** Compare the values of machines: names, or records of them. */
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
