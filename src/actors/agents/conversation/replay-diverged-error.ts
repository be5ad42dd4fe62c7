import { TroupeError } from '../../../core/errors.js';

/** A journal and what its agent makes of it do not belong together. */
export class ReplayDivergedError extends TroupeError {
  override readonly name = 'ReplayDivergedError';
  readonly code = 'REPLAY_DIVERGED';
  /** The first step of the journal that was not reached. */
  readonly step: string;

  constructor(agentId: string, step: string) {
    super(`The agent ${agentId} came to rest before the step ${step} of its journal.`);
    this.step = step;
  }
}
