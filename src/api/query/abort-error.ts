import { TroupeError } from '../../core/errors.js';

/** The program aborted its query. Everything of it has ended. */
export class AbortError extends TroupeError {
  override readonly name = 'AbortError';
  readonly code = 'ABORTED';

  constructor(options?: ErrorOptions) {
    super('The query was aborted by the program.', options);
  }
}
