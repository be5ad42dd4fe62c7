import { TroupeError } from '../../core/errors.js';

/** A reply ended without `message_stop`: the connection was closed cleanly, but too soon. */
export class ModelEndedEarlyError extends TroupeError {
  override readonly name = 'ModelEndedEarlyError';
  readonly code = 'MODEL_ENDED_EARLY';

  constructor() {
    super("The model's answer ended before its message_stop event.", { retryable: true });
  }
}
