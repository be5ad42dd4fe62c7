import { TroupeError } from '../../core/errors.js';

/** An expression cannot be read, or has no value. The message says why, and what would work. */
export class ExpressionError extends TroupeError {
  override readonly name = 'ExpressionError';
  readonly code = 'EXPRESSION';
  /** Characters in front of the mistake, in the text that was parsed; undefined where it came up later. */
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
}
