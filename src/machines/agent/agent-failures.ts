import type { Failure } from '../../core/failure.js';

/** Failures of a turn that something else ends. */
export const INTERRUPTED: Failure = { code: 'INTERRUPTED', message: 'Interrupted by the user.' };
export const STOPPED: Failure = { code: 'STOPPED', message: 'The agent was stopped.' };

/** Most consecutive continuations of a reply that was cut off. */
export const MAX_CONTINUATIONS = 3;

export const OUTPUT_LIMIT: Failure = {
  code: 'MAX_OUTPUT_TOKENS',
  message: `The reply was cut off at the output limit, and ${MAX_CONTINUATIONS} continuations did not complete it. Ask for less at a time, or raise maxTokens.`,
};

export function turnLimit(maxTurns: number | undefined): Failure {
  return { code: 'MAX_TURNS', message: `Reached the maximum number of turns (${maxTurns}).` };
}

/** The code of a failed request that does not fit into the model's window. */
export const CONTEXT_WINDOW_EXCEEDED = 'CONTEXT_WINDOW_EXCEEDED';
