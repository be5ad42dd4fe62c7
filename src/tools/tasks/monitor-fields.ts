import { z } from 'zod';

/** How long a monitor runs if its call does not say. */
export const DEFAULT_MONITOR_MS = 300_000;
export const LONGEST_MONITOR_MS = 3_600_000;

/** The fields of the input that all monitors have. */
export const MONITOR_FIELDS = {
  description: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('What it watches, in a few words: every notification shows it'),
  timeout_ms: z
    .int()
    .min(1_000)
    .max(LONGEST_MONITOR_MS)
    .default(DEFAULT_MONITOR_MS)
    .describe('Milliseconds after which it is ended'),
};
