import { z } from 'zod';

/** What an agent and everything below it may use, background included. What is absent is not limited. */
export const TaskBudget = z.strictObject({
  /** US dollars. */
  usd: z.number().positive().optional(),
  /** All that the API counts: prompts, cached or not, and replies. */
  tokens: z.int().positive().optional(),
  /** Model calls. */
  turns: z.int().positive().optional(),
});
export type TaskBudget = Readonly<z.infer<typeof TaskBudget>>;
