import { z } from 'zod';
import { strictObject } from '../text/strict-object.js';

/** What an agent and everything below it may use, background included. What is absent is not limited. */
export const TaskBudget = strictObject({
  /** US dollars. */
  usd: z.number().positive().optional(),
  /** All that the API counts: prompts, cached or not, and replies. */
  tokens: z.int().positive().optional(),
  /** Model calls. */
  turns: z.int().positive().optional(),
  /** Of the clock, from the start of its task to the end of it and all below it. */
  seconds: z.number().positive().optional(),
  /** Levels of agents below it: with 1 those that it starts may start none. */
  depth: z.int().nonnegative().optional(),
  /** Agents below it, at any level, that are alive at once. */
  agents: z.int().nonnegative().optional(),
});
export type TaskBudget = Readonly<z.infer<typeof TaskBudget>>;
