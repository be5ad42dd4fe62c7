import type { AnyActorLogic, AnyEventObject } from 'xstate';

/**
 * Actor logic that is looked up on first use. This breaks the recursion task → agent → tool call → task.
 * @param toInput makes the input of the logic from the input of the parent
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

/** The one child that a machine waits for by its ID. */
const WORK = 'work';

/**
 * The done event of a spawned child has the ID of the child in its type, and xstate caches the transitions for every
 * event type that a state has ever seen. Children come and go, so the type must not contain the ID. The event has it as
 * `actorId`.
 */
function withFixedType(event: AnyEventObject): AnyEventObject {
  const id: unknown = event['actorId'];
  if (typeof id !== 'string' || id === WORK || !event.type.endsWith(id)) return event;
  return { ...event, type: `${event.type.slice(0, -id.length)}child` };
}
