import { TroupeError } from '../../core/errors.js';

/** Something with a team or its task list cannot be done. The message says why, and changes nothing. */
export class TeamRefusedError extends TroupeError {
  override readonly name = 'TeamRefusedError';
  readonly code = 'TEAM_REFUSED';

  constructor(reason: string) {
    super(`Nothing was changed: ${reason}.`, { recoverable: true });
  }
}
