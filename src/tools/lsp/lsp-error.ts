import { TroupeError } from '../../core/errors.js';

export type LspErrorReason =
  /** No server is configured for the file. */
  | 'no_server'
  /** The folder is not trusted. */
  | 'untrusted'
  /** The server did not start, or has ended too often. */
  | 'not_started'
  /** The server ended before its answer. */
  | 'gone'
  /** The answer came too late. */
  | 'timeout'
  /** The server refused the request, or its answer cannot be used. */
  | 'failed';

/** A language server gave no usable answer. The message is for the model: the problem and what to do next. */
export class LspError extends TroupeError {
  override readonly name = 'LspError';
  readonly code: string;
  readonly reason: LspErrorReason;

  constructor(reason: LspErrorReason, message: string, options?: ErrorOptions) {
    super(message, { recoverable: true, ...options });
    this.code = `LSP_${reason.toUpperCase()}`;
    this.reason = reason;
  }
}
