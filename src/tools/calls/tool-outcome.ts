/**
 * A tool's result as success or error, in the shape of other agent SDKs. Troupe itself uses `ToolResult`; {@link
 * toToolOutcome} converts a tool result block.
 */
import type { ToolResultBlock } from '../../core/messages.js';

/** The outcome of a tool that succeeded. */
export type ToolSuccess = {
  readonly success: true;
  /** The output of the tool. */
  readonly output: string;
  /** Always absent. */
  readonly error?: never;
};
/** The outcome of a tool that failed. */
export type ToolError = {
  readonly success: false;
  /** The error message. */
  readonly error: string;
  /** Always absent. */
  readonly output?: never;
};
/** The outcome of a tool call: a success or an error. */
export type ToolOutcome = ToolSuccess | ToolError;

/** Make the outcome of a tool that succeeded. */
export function createToolSuccess<Extra extends object = object>(
  output: string,
  extra?: Extra,
): ToolSuccess & Extra {
  return { ...(extra as Extra), success: true, output };
}

/** Make the outcome of a tool that failed. */
export function createToolError<Extra extends object = object>(
  error: string,
  extra?: Extra,
): ToolError & Extra {
  return { ...(extra as Extra), success: false, error };
}

/** Whether the tool succeeded. */
export function isToolSuccess(outcome: ToolOutcome): outcome is ToolSuccess {
  return outcome.success;
}

/** Whether the tool failed. */
export function isToolError(outcome: ToolOutcome): outcome is ToolError {
  return !outcome.success;
}

/** Convert a tool result block; text parts are joined by line ends. */
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

/** Call one of two functions, by whether the tool succeeded. */
export function mapToolResult<T>(
  outcome: ToolOutcome,
  onSuccess: (output: string) => T,
  onError: (error: string) => T,
): T {
  return outcome.success ? onSuccess(outcome.output) : onError(outcome.error);
}
