import { z } from 'zod';

/** Whose list is meant. */
export const TeamField = z
  .string()
  .optional()
  .describe(
    'Whose list: a team that you are in or lead, or "session"; your team\'s where it is left out',
  );

/** Number of a task on a list; `#3` is 3. */
export const SharedTaskId = z
  .string()
  .transform((text) => text.trim().replace(/^#/, ''))
  .pipe(z.string().regex(/^[1-9]\d*$/, 'the number of a task is meant'));
