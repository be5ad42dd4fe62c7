import { z } from 'zod';

/** The owner of the list. */
export const TeamField = z
  .string()
  .optional()
  .describe(
    'The list: a team that you are in or lead, or "session"; by default the list of your team',
  );

/** Number of an item on a list; `#3` is 3. */
export const SharedTaskId = z
  .string()
  .transform((text) => text.trim().replace(/^#/, ''))
  .pipe(z.string().regex(/^[1-9]\d*$/, 'give the number of a task'));
