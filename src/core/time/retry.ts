/** One wait before a model request is tried again. */
export type Retry = {
  /** Number of the attempt that failed; the first is 1. */
  readonly attempt: number;
  /** How long the agent waits. */
  readonly delayMs: number;
  /** Stable code of the error, such as `MODEL_OVERLOADED`. */
  readonly code: string;
  /** HTTP status of the failed attempt; undefined if no response came. */
  readonly status: number | undefined;
  /** The error, in words for a person. */
  readonly message: string;
  /** When the wait began, epoch ms. */
  readonly at: number;
};
