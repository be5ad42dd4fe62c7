import type { ModelErrorClass } from '../errors/model-error.js';

/** So many overloads in a row, and the next model is asked. */
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

/** Which model an agent asks: its own, or one that stands in for it until the next prompt. */
export interface ModelChoice {
  readonly model: string;
  /** Counts a failed try. @returns the change, where the next try goes to another model */
  countFailure(verdict: ModelErrorClass): ModelFallback | undefined;
  countReply(): void;
  /** Back to the agent's own model. */
  reset(): void;
}

/** @param own may change; `reset` goes back to what it is then */
export function createModelChoice(own: () => string, fallbacks: readonly string[]): ModelChoice {
  const models = (): readonly string[] => [own(), ...fallbacks.filter((name) => name !== own())];
  let index = 0;
  let overloads = 0;
  const current = (): string => models()[index] ?? own();
  return {
    get model() {
      return current();
    },
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
