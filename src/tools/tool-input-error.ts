import { TroupeError, type TroupeErrorOptions } from '../core/errors.js';

/** Input that has the right shape and is invalid: a bad regular expression, an edit that matches nothing. */
export class ToolInputError extends TroupeError {
  override readonly name = 'ToolInputError';
  readonly code = 'TOOL_INPUT';
  readonly toolName: string;

  /** @param message for the model: what was wrong and what would work. */
  constructor(toolName: string, message: string, options?: TroupeErrorOptions) {
    super(message, { recoverable: true, details: { toolName }, ...options });
    this.toolName = toolName;
  }
}
