import { TroupeError } from '../core/errors.js';
import { describeSystemError } from '../core/system-error.js';

/** What happened could not be written down, so nothing that follows from it may happen. */
export class JournalWriteError extends TroupeError {
  override readonly name = 'JournalWriteError';
  readonly code = 'JOURNAL_UNWRITABLE';
  /** Its name in the session's folder. */
  readonly file: string;

  constructor(file: string, cause: unknown) {
    super(`The journal cannot be written: ${describeSystemError(cause)} (${file})`, {
      cause,
      details: { file },
    });
    this.file = file;
  }
}
