import { TroupeError } from '../../../core/errors.js';
import type { Failure } from '../../../core/failure.js';

/** A conversation was not compacted; it is as it was. The code is that of whatever failed. */
export class CompactionFailedError extends TroupeError {
  override readonly name = 'CompactionFailedError';
  /** Stable code in upper snake case of what went wrong, such as `MODEL_OVERLOADED`. */
  readonly code: string;

  constructor({ code, message, details }: Failure) {
    super(`The conversation was not compacted: ${message}`, {
      recoverable: true,
      ...(details === undefined ? {} : { details }),
    });
    this.code = code;
  }
}
