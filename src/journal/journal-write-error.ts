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

/** The first failure of the file system, after which nothing is written. */
export function createFirstFailure(onFailure: (error: JournalWriteError) => void) {
  let failure: JournalWriteError | undefined;
  const fail = (file: string, cause: unknown): JournalWriteError => {
    if (failure !== undefined) return failure;
    failure = cause instanceof JournalWriteError ? cause : new JournalWriteError(file, cause);
    onFailure(failure);
    return failure;
  };
  return {
    failure: () => failure,
    fail,
    /** Run a file operation. @throws JournalWriteError */
    guard<T>(file: string, run: () => T): T {
      if (failure !== undefined) throw failure;
      try {
        return run();
      } catch (error) {
        throw fail(file, error);
      }
    },
  };
}
