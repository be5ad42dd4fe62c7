import { TroupeError, type TroupeErrorOptions } from '../../core/errors.js';

/**
 * A task could not be started. The message names the limit or the name that was the reason; `details.lasts` says that
 * another try would fail too.
 */
export class TaskRefusedError extends TroupeError {
  override readonly name = 'TaskRefusedError';
  readonly code = 'TASK_REFUSED';

  constructor(reason: string, options?: TroupeErrorOptions) {
    super(`The task was not started: ${reason}`, { recoverable: true, ...options });
  }
}

/** Another try would be refused as well. */
export const LASTS = { details: { lasts: true } } as const;
