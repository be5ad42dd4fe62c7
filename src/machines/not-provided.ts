import { fromCallback, type AnyActorLogic } from 'xstate';

/** Stands for logic that the composition root provides. Running it is a mistake in the wiring, and says so. */
export function notProvided(name: string): AnyActorLogic {
  return fromCallback(() => {
    throw new Error(`The actor logic "${name}" was not provided.`);
  });
}
