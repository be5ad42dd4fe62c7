import { TroupeError } from '../core/errors.js';
import { describeSystemError } from '../core/system-error.js';

/** A journal line could not be written, so its effects must not happen. */
export class JournalWriteError extends TroupeError {
  override readonly name = 'JournalWriteError';
  readonly code = 'JOURNAL_UNWRITABLE';
  /** Name of the file in the session's folder. */
  readonly file: string;

  constructor(file: string, cause: unknown) {
    super(`The journal cannot be written: ${describeSystemError(cause)} (${file})`, {
      cause,
      details: { file },
    });
    this.file = file;
  }
}
