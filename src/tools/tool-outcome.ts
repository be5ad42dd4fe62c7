/**
 * A tool's result as success or error: the shape that programs written for other agent SDKs know. Troupe itself passes
 * `ToolResult` on; {@link toToolOutcome} makes this of a tool result block.
 */
import type { ToolResultBlock } from '../core/messages.js';

export type ToolSuccess = {
  readonly success: true;
  readonly output: string;
  readonly error?: never;
};
export type ToolError = {
  readonly success: false;
  readonly error: string;
  readonly output?: never;
};
export type ToolOutcome = ToolSuccess | ToolError;

export function createToolSuccess<Extra extends object = object>(
  output: string,
  extra?: Extra,
): ToolSuccess & Extra {
  return { ...(extra as Extra), success: true, output };
}

export function createToolError<Extra extends object = object>(
  error: string,
  extra?: Extra,
): ToolError & Extra {
  return { ...(extra as Extra), success: false, error };
}

export function isToolSuccess(outcome: ToolOutcome): outcome is ToolSuccess {
  return outcome.success;
}

export function isToolError(outcome: ToolOutcome): outcome is ToolError {
  return !outcome.success;
}

/** What a tool result block says, text parts joined by line ends. */
export function toToolOutcome({ content, is_error }: ToolResultBlock): ToolOutcome {
  const text =
    typeof content === 'string'
      ? content
      : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return is_error === true ? createToolError(text) : createToolSuccess(text);
}

/** For people: the output, or the error after `Error: `. */
export function formatToolResult(outcome: ToolOutcome): string {
  if (!outcome.success) return `Error: ${outcome.error}`;
  return outcome.output === '' ? 'Success (no output)' : outcome.output;
}

export function mapToolResult<T>(
  outcome: ToolOutcome,
  onSuccess: (output: string) => T,
  onError: (error: string) => T,
): T {
  return outcome.success ? onSuccess(outcome.output) : onError(outcome.error);
}
