import type { Failure } from '../core/failure.js';

/** How a turn ends that does not end by itself. */
export const INTERRUPTED: Failure = { code: 'INTERRUPTED', message: 'Interrupted by the user.' };
export const STOPPED: Failure = { code: 'STOPPED', message: 'Told to stop.' };

export function turnLimit(maxTurns: number | undefined): Failure {
  return { code: 'MAX_TURNS', message: `Reached the maximum number of turns (${maxTurns}).` };
}
