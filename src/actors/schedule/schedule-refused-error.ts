import { TroupeError } from '../../core/errors.js';

/** An entry cannot be scheduled, or there is no such entry to delete. The message says why; nothing was changed. */
export class ScheduleRefusedError extends TroupeError {
  override readonly name = 'ScheduleRefusedError';
  readonly code = 'SCHEDULE_REFUSED';

  constructor(reason: string) {
    super(`Nothing was changed: ${reason}.`, { recoverable: true });
  }
}
