import type { AnyActorLogic } from 'xstate';

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
    transition: (snapshot, event, scope) => get().transition(snapshot, event, scope),
    start: (snapshot, scope) => get().start?.(snapshot, scope),
    getPersistedSnapshot: (snapshot, options) => get().getPersistedSnapshot(snapshot, options),
    restoreSnapshot: (snapshot, scope) => get().restoreSnapshot?.(snapshot, scope) ?? snapshot,
  };
}
