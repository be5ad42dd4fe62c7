import { TroupeError, type TroupeErrorOptions } from '../../core/errors.js';

/** A task could not be started. The message says which limit or name was the reason; `details.lasts` that it stays so. */
export class TaskRefusedError extends TroupeError {
  override readonly name = 'TaskRefusedError';
  readonly code = 'TASK_REFUSED';

  constructor(reason: string, options?: TroupeErrorOptions) {
    super(`The task was not started: ${reason}`, { recoverable: true, ...options });
  }
}

/** Another try would be refused as well. */
export const LASTS = { details: { lasts: true } } as const;
