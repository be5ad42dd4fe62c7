import { TroupeError } from '../../core/errors.js';

export type WebErrorReason =
  | 'refused'
  | 'unreachable'
  | 'status'
  | 'redirects'
  | 'unsupported'
  | 'too_large'
  | 'too_slow'
  | 'search';

/** A page cannot be fetched, or a search has failed. The message is for the model: the problem and what to do next. */
export class WebError extends TroupeError {
  override readonly name = 'WebError';
  readonly code: string;
  readonly reason: WebErrorReason;
  /** Empty for a search. */
  readonly url: string;

  constructor(reason: WebErrorReason, url: string, message: string, options?: ErrorOptions) {
    super(message, { recoverable: true, details: { url }, ...options });
    this.code = `WEB_${reason.toUpperCase()}`;
    this.reason = reason;
    this.url = url;
  }
}
