import type { Failure } from '../../../core/failure.js';

/** So many refusals in a row, and the model is told plainly to stop. */
export const DENIALS_UNTIL_TOLD = 3;
/** So many in a row, and the agent fails. */
export const DENIALS_IN_A_ROW = 10;
/** So many since the newest prompt, and the agent fails. */
export const DENIALS_A_PROMPT = 20;

/** Counts what one agent was refused. */
export interface Denials {
  /** @returns what the model is told behind the refusal; nothing while it may still try */
  denied(turn: number): string;
  /** Something may run: those in a row are over. */
  allowed(): void;
  /** A person has said something new. */
  beginPrompt(): void;
  /** Why the agent makes no further request. Never before it was told, and has tried again in a later reply. */
  readonly failure: Failure | undefined;
}

export function createDenials(): Denials {
  let inARow = 0;
  let inAll = 0;
  /** Turns of the first refusal, and of the first that came with a warning. */
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
      return `\n\nThat is ${inARow} refusals in a row. Stop trying this. Go on in another way, or end your reply and say what you need. After ${DENIALS_IN_A_ROW} in a row you are stopped.`;
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
    get failure() {
      return failure;
    },
  };
}

function tooMany(what: string): Failure {
  return {
    code: 'TOO_MANY_DENIALS',
    message: `The agent was stopped: ${what} were denied. Allow what it needs by a rule, or ask for something else.`,
  };
}
