import { z } from 'zod';

const approve = z.boolean();
const request_id = z.string().describe('The ID of the request');

/** A message between a lead and its teammates that requests something definite, or answers such a request. */
export type TypedMessage =
  | {
      readonly type: 'shutdown_request';
      /** Why the teammate is to end. */
      readonly reason?: string | undefined;
    }
  | {
      readonly type: 'shutdown_response';
      /** `request_id` of the request that this answers. */
      readonly request_id: string;
      /** True: the teammate ends with this turn. */
      readonly approve: boolean;
      /** Why not; needed if `approve` is false. */
      readonly reason?: string | undefined;
    }
  | {
      readonly type: 'plan_approval_response';
      /** ID of the request that came with the plan. */
      readonly request_id: string;
      /** True: the teammate may leave plan mode. */
      readonly approve: boolean;
      /** Changes to make in the plan; needed if `approve` is false. */
      readonly feedback?: string | undefined;
    };
export const TypedMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('shutdown_request').describe('Asks one of your teammates to end'),
    reason: z.string().optional(),
  }),
  z.object({
    type: z
      .literal('shutdown_response')
      .describe('Answers a shutdown_request; if you approve, you end with this turn'),
    request_id,
    approve,
    reason: z.string().optional().describe('Required if you do not approve'),
  }),
  z.object({
    type: z.literal('plan_approval_response').describe('Answers the plan of one of your teammates'),
    request_id,
    approve,
    feedback: z.string().optional().describe('What to change; required if you do not approve'),
  }),
]) satisfies z.ZodType<TypedMessage>;
