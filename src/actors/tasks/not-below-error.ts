import { TroupeError } from '../../core/errors.js';

/** An agent tried to end a task that neither it nor an agent below it had started. */
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
