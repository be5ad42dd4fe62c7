import { TroupeError } from '../../../core/errors.js';
import type { Failure } from '../../../core/failure.js';

/** The conversation was not compacted and is unchanged. The code is the code of the cause. */
export class CompactionFailedError extends TroupeError {
  override readonly name = 'CompactionFailedError';
  /** Stable code of the cause in upper snake case, such as `MODEL_OVERLOADED`. */
  readonly code: string;

  constructor({ code, message, details }: Failure) {
    super(`The conversation was not compacted: ${message}`, {
      recoverable: true,
      ...(details === undefined ? {} : { details }),
    });
    this.code = code;
  }
}
