import type { AnyActorLogic, AnyEventObject } from 'xstate';

/**
 * Actor logic that is looked up when it is first needed: unties the recursion task → agent → tool call → task.
 * @param toInput what the logic is started with, of what its parent gives.
 */
export function lazyLogic(
  get: () => AnyActorLogic,
  toInput: (input: unknown) => unknown = (input) => input,
): AnyActorLogic {
  return {
    getInitialSnapshot: (scope, input) => get().getInitialSnapshot(scope, toInput(input)),
    transition: (snapshot, event, scope) => get().transition(snapshot, withFixedType(event), scope),
    start: (snapshot, scope) => get().start?.(snapshot, scope),
    getPersistedSnapshot: (snapshot, options) => get().getPersistedSnapshot(snapshot, options),
    restoreSnapshot: (snapshot, scope) => get().restoreSnapshot?.(snapshot, scope) ?? snapshot,
  };
}

/** The one child that a machine waits for by its id. */
const WORK = 'work';

/**
 * The end of a spawned child has a type with its id in it, and for every type that a state has ever seen xstate keeps what
 * that state does with it: of children that come and go the types must not be without number. Who has ended stands in
 * the event.
 */
function withFixedType(event: AnyEventObject): AnyEventObject {
  const id: unknown = event['actorId'];
  if (typeof id !== 'string' || id === WORK || !event.type.endsWith(id)) return event;
  return { ...event, type: `${event.type.slice(0, -id.length)}child` };
}
