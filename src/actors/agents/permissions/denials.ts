import type { Failure } from '../../../core/failure.js';

/** Consecutive denials before the model gets a warning. */
export const DENIALS_UNTIL_TOLD = 3;
/** Consecutive denials before the agent fails. */
export const DENIALS_IN_A_ROW = 10;
/** Denials since the newest prompt before the agent fails. */
export const DENIALS_A_PROMPT = 20;

/** Count the denials of one agent. */
export interface Denials {
  /** @returns the warning for the model; empty while it may still try */
  denied(turn: number): string;
  /** A call may run: the consecutive denials are over. */
  allowed(): void;
  /** A person has sent a new prompt. */
  beginPrompt(): void;
  /** Why the agent makes no further request. Set only after a warning and another denial in a later reply. */
  failure(): Failure | undefined;
}

export function createDenials(): Denials {
  let inARow = 0;
  let inAll = 0;
  /** Turns of the first denial, and of the first denial with a warning. */
  let firstIn: number | undefined;
  let toldIn: number | undefined;
  let failure: Failure | undefined;
  return {
    denied(turn) {
      inARow += 1;
      inAll += 1;
      firstIn ??= turn;
      const isTooMany = inARow >= DENIALS_IN_A_ROW && toldIn !== undefined && toldIn < turn;
      const isTooManyInAll = inAll >= DENIALS_A_PROMPT && firstIn < turn;
      if (isTooMany) failure ??= tooMany(`${inARow} tool uses in a row`);
      else if (isTooManyInAll) failure ??= tooMany(`${inAll} tool uses since the newest prompt`);
      if (inARow < DENIALS_UNTIL_TOLD) return '';
      toldIn ??= turn;
      return `\n\nThat is ${inARow} refusals in a row. Stop trying this. Try another way, or end your reply and say what you need. After ${DENIALS_IN_A_ROW} in a row you are stopped.`;
    },
    allowed() {
      inARow = 0;
      toldIn = undefined;
    },
    beginPrompt() {
      inARow = 0;
      inAll = 0;
      firstIn = undefined;
      toldIn = undefined;
      failure = undefined;
    },
    failure: () => failure,
  };
}

function tooMany(what: string): Failure {
  return {
    code: 'TOO_MANY_DENIALS',
    message: `The agent was stopped: ${what} were denied. Allow what it needs by a rule, or ask for something else.`,
  };
}
