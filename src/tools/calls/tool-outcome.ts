/**
 * A tool's result as success or error, in the shape of other agent SDKs. Troupe itself uses `ToolResult`; {@link
 * toToolOutcome} converts a tool result block.
 */
import { UsageError } from '../../core/errors.js';
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

/** An outcome as other programs make it: either text may be absent. */
export type GivenOutcome = {
  /** Whether the tool succeeded. */
  readonly success: boolean;
  /** The output of a success. */
  readonly output?: string | undefined;
  /** The message of an error. */
  readonly error?: string | undefined;
};

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

/** Whether the tool succeeded, with an output. */
export function isToolSuccess(outcome: GivenOutcome): outcome is ToolSuccess {
  return outcome.success && outcome.output !== undefined;
}

/** Whether the tool failed, with an error. */
export function isToolError(outcome: GivenOutcome): outcome is ToolError {
  return !outcome.success && outcome.error !== undefined;
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
export function formatToolResult({ success, output, error }: GivenOutcome): string {
  return success ? output || 'Success (no output)' : `Error: ${error || 'Unknown error'}`;
}

/**
 * Call one of two functions, by whether the tool succeeded.
 *
 * @throws UsageError for a success without an output, and for a failure without an error
 */
export function mapToolResult<T>(
  outcome: GivenOutcome,
  onSuccess: (output: string) => T,
  onError: (error: string) => T,
): T {
  if (isToolSuccess(outcome)) return onSuccess(outcome.output);
  if (isToolError(outcome)) return onError(outcome.error);
  throw new UsageError(
    'Invalid tool result: give { success: true, output } or { success: false, error }.',
  );
}
