import { TroupeError } from '../core/errors.js';

/** A task could not be started. The message says which limit or name was the reason. */
export class TaskRefusedError extends TroupeError {
  override readonly name = 'TaskRefusedError';
  readonly code = 'TASK_REFUSED';

  constructor(reason: string, options?: ErrorOptions) {
    super(`The task was not started: ${reason}`, { recoverable: true, ...options });
  }
}
