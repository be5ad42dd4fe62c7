import { z } from 'zod';
import { strictObject } from '../text/strict-object.js';

/** Limits of an agent and everything below it, background work included. An absent unit is not limited. */
export type TaskBudget = {
  /** US dollars, above 0. A model whose price is not known fails with `PRICE_UNKNOWN`: see `prices`. */
  readonly usd?: number | undefined;
  /** Tokens as the API counts them: prompts, cached or not, and replies. At least 1. */
  readonly tokens?: number | undefined;
  /** Model requests that were answered. At least 1. */
  readonly turns?: number | undefined;
  /** Seconds by the clock, above 0: from the start of the task to the end of everything below it, waiting included. */
  readonly seconds?: number | undefined;
  /** Levels of agents below it. With 0 it starts none; with 1 the agents that it starts may start none. */
  readonly depth?: number | undefined;
  /** Agents below it, at any level, that are alive at once; pending ones count. 0 or more. */
  readonly agents?: number | undefined;
};
export const TaskBudget = strictObject({
  usd: z.number().positive().optional(),
  tokens: z.int().positive().optional(),
  turns: z.int().positive().optional(),
  seconds: z.number().positive().optional(),
  depth: z.int().nonnegative().optional(),
  agents: z.int().nonnegative().optional(),
}) satisfies z.ZodType<TaskBudget>;
