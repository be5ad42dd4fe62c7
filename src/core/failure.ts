import { z } from 'zod';

/** An error as data, for the outcome of a task, a snapshot or a journal line. */
export type Failure = {
  /** Stable code in upper snake case, such as `MODEL_OVERLOADED`. */
  readonly code: string;
  /** The error, and what to do about it, in words for a person. */
  readonly message: string;
  /** Facts of this failure, such as the budget that was reached. Their names depend on `code`. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
};
export const Failure = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
}) satisfies z.ZodType<Failure>;
