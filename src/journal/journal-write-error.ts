import { TroupeError } from '../core/errors.js';

/** What happened could not be written down, so nothing that follows from it may happen. Free space or rights are missing. */
export class JournalWriteError extends TroupeError {
  override readonly name = 'JournalWriteError';
  readonly code = 'JOURNAL_UNWRITABLE';
  readonly file: string;

  constructor(file: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`The journal cannot be written: ${why}`, { cause });
    this.file = file;
  }
}
