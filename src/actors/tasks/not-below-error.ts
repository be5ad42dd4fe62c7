import { TroupeError } from '../../core/errors.js';

/** An agent asked for the end of a task that it did not start, nor anybody below it. */
export class NotBelowError extends TroupeError {
  override readonly name = 'NotBelowError';
  readonly code = 'NOT_BELOW';

  constructor(id: string) {
    super(`${id} was not stopped: it was not started by this agent or by one below it.`, {
      recoverable: true,
      details: { id },
    });
  }
}
