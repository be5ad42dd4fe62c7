import { TroupeError, type TroupeErrorOptions } from '../../core/errors.js';

/** The model called a tool that its agent does not have. The message lists the tools of the agent. */
export class ToolNotFoundError extends TroupeError {
  override readonly name = 'ToolNotFoundError';
  readonly code = 'TOOL_NOT_FOUND';
  readonly toolName: string;

  constructor(toolName: string, availableTools: readonly string[], options?: TroupeErrorOptions) {
    const available = availableTools.length === 0 ? 'none' : availableTools.join(', ');
    super(`No tool named "${toolName}". Available: ${available}.`, {
      recoverable: true,
      details: { toolName },
      ...options,
    });
    this.toolName = toolName;
  }
}
