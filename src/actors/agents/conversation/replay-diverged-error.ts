import { TroupeError } from '../../../core/errors.js';

/** The journal of an agent does not match the agent's steps. */
export class ReplayDivergedError extends TroupeError {
  override readonly name = 'ReplayDivergedError';
  readonly code = 'REPLAY_DIVERGED';
  /** The first step of the journal that the agent did not reach. */
  readonly step: string;

  constructor(agentId: string, step: string) {
    super(`The agent ${agentId} became idle before the step ${step} of its journal.`);
    this.step = step;
  }
}
