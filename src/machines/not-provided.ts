import { fromCallback, type AnyActorLogic } from 'xstate';

/** A placeholder for logic that the composition root provides. Running it is a wiring error, and says so. */
export function notProvided(name: string): AnyActorLogic {
  return fromCallback(() => {
    throw new Error(`The actor logic "${name}" was not provided.`);
  });
}
