import { TroupeError } from '../../core/errors.js';

/** An expression is invalid, or has no value. The message says why, and what would work. */
export class ExpressionError extends TroupeError {
  override readonly name = 'ExpressionError';
  readonly code = 'EXPRESSION';
  /** Characters before the mistake, in the parsed text; undefined if it came up later. */
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
}
