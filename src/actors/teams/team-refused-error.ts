import { TroupeError } from '../../core/errors.js';

/** An action on a team or its task list is impossible. The message says why; nothing was changed. */
export class TeamRefusedError extends TroupeError {
  override readonly name = 'TeamRefusedError';
  readonly code = 'TEAM_REFUSED';

  constructor(reason: string) {
    super(`Nothing was changed: ${reason}.`, { recoverable: true });
  }
}
