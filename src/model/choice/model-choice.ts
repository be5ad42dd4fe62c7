import type { ModelErrorClass } from '../errors/model-error.js';

/** Overloads in a row before the next model is asked. */
const MOST_OVERLOADS = 3;

/** A change of the model that an agent asks, until the next prompt. */
export type ModelFallback = {
  /** ID of the model that is overloaded. */
  readonly from: string;
  /** ID of the model that answers instead. */
  readonly to: string;
  /** Why, in words for a person. */
  readonly reason: string;
};

/** The model that an agent asks: its own, or a fallback until the next prompt. */
export interface ModelChoice {
  model(): string;
  /** Count a failed attempt. @returns the change, if the next attempt asks another model */
  countFailure(verdict: ModelErrorClass): ModelFallback | undefined;
  countReply(): void;
  /** Return to the agent's own model. */
  reset(): void;
}

/** @param own may change; `reset` returns to its value at that time */
export function createModelChoice(own: () => string, fallbacks: readonly string[]): ModelChoice {
  const models = (): readonly string[] => [own(), ...fallbacks.filter((name) => name !== own())];
  let index = 0;
  let overloads = 0;
  const current = (): string => models()[index] ?? own();
  return {
    model: () => current(),
    countFailure({ isOverloaded, message }) {
      overloads = isOverloaded === true ? overloads + 1 : 0;
      if (overloads < MOST_OVERLOADS || index + 1 >= models().length) return undefined;
      const from = current();
      index += 1;
      overloads = 0;
      return { from, to: current(), reason: message };
    },
    countReply() {
      overloads = 0;
    },
    reset() {
      index = 0;
      overloads = 0;
    },
  };
}
