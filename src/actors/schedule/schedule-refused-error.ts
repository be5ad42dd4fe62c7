import { TroupeError } from '../../core/errors.js';

/** Something cannot be scheduled, or is not there to be deleted. The message says why; nothing was changed. */
export class ScheduleRefusedError extends TroupeError {
  override readonly name = 'ScheduleRefusedError';
  readonly code = 'SCHEDULE_REFUSED';

  constructor(reason: string) {
    super(`Nothing was changed: ${reason}.`, { recoverable: true });
  }
}
