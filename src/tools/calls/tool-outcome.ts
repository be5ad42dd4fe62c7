/**
 * A tool's result as success or error: the shape that programs written for other agent SDKs know. Troupe itself passes
 * `ToolResult` on; {@link toToolOutcome} makes this of a tool result block.
 */
import type { ToolResultBlock } from '../../core/messages.js';

/** The outcome of a tool that succeeded. */
export type ToolSuccess = {
  readonly success: true;
  /** What the tool returned. */
  readonly output: string;
  /** Never there. */
  readonly error?: never;
};
/** The outcome of a tool that failed. */
export type ToolError = {
  readonly success: false;
  /** What went wrong. */
  readonly error: string;
  /** Never there. */
  readonly output?: never;
};
/** What became of a tool call: a success or an error. */
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

/** Call one of two functions, by whether the tool succeeded. */
export function mapToolResult<T>(
  outcome: ToolOutcome,
  onSuccess: (output: string) => T,
  onError: (error: string) => T,
): T {
  return outcome.success ? onSuccess(outcome.output) : onError(outcome.error);
}
