import { z } from 'zod';

/** An error as data: what a task's outcome, a snapshot or a journal line can hold. */
export const Failure = z.object({
  /** Stable, upper snake case: `MODEL_OVERLOADED`. */
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type Failure = Readonly<z.infer<typeof Failure>>;
