import { z } from 'zod';

const approve = z.boolean();
const request_id = z.string().describe('The id that the request came with');

/** Messages that ask for something definite, or answer it. */
export const TypedMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('shutdown_request').describe('Asks a teammate of yours to end'),
    reason: z.string().optional(),
  }),
  z.object({
    type: z.literal('shutdown_response').describe('Answers that; approved, you end with this turn'),
    request_id,
    approve,
    reason: z.string().optional().describe('Needed where you do not approve'),
  }),
  z.object({
    type: z.literal('plan_approval_response').describe('Answers the plan of a teammate of yours'),
    request_id,
    approve,
    feedback: z.string().optional().describe('What to change; needed where you do not approve'),
  }),
]);
export type TypedMessage = Readonly<z.infer<typeof TypedMessage>>;
