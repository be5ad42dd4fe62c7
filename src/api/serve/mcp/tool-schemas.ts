/** Shapes of the inputs and results of the tools that Troupe offers as an MCP server. */
import { z } from 'zod';
import { TASK_STATUSES } from '../../../core/task-types.js';
import { strictObject } from '../../../core/text/strict-object.js';
import { DescribedRequest } from '../describe-requests.js';
import { SpawnRequest } from '../serve-types.js';

const id = z.string().min(1).describe('ID of the agent: `id` of the result of `spawn`');
const wait = z.boolean().describe('Wait for the end of the agent');

const stateShape = {
  id: z.string().describe('ID for all further calls'),
  kind: z.enum(['session', 'sub-agent']),
  title: z.string(),
  status: z.enum(TASK_STATUSES).describe('completed, failed and killed are final'),
  result: z.unknown().optional().describe('The answer, if the agent completed'),
  error: z.string().optional().describe('Why the agent failed or was killed'),
  waitsFor: z
    .array(z.string())
    .describe('IDs of the permission requests and questions that it waits for: see `requests`'),
  costUsd: z.number().nullable().describe('US dollars so far; null if a price is not known'),
};
export const StateOutput = z.object(stateShape);

export const SpawnInput = strictObject({
  ...SpawnRequest.shape,
  wait: wait.default(true),
});
export const SendInput = strictObject({
  id,
  text: z.string().regex(/\S/, 'it is empty').describe('The message'),
  wait: wait.default(false),
});
export const StatusInput = strictObject({ id: id.optional() });
export const OutputInput = strictObject({
  id,
  from: z.int().nonnegative().default(0).describe('Byte to start at: `next` of the last call'),
  wait: wait.default(false),
});
export const KillInput = strictObject({
  id,
  reason: z.string().min(1).optional().describe('The reason that waiting agents see'),
});
export const NoInput = strictObject({});
/** A live actor. */
export const ActorOutput = z.object({
  id: z.string(),
  kind: z.string(),
  label: z.string(),
  state: z.string(),
  since: z.number().describe('Epoch ms'),
  waitingFor: z.array(z.string()),
  sessionId: z.string().optional(),
  costUsd: z.number().optional(),
  get children() {
    return z.array(ActorOutput);
  },
});
export type ActorOutput = z.infer<typeof ActorOutput>;

export const StatusOutput = z.object({
  agents: z.array(StateOutput),
  tree: z.array(ActorOutput).describe('Live actors: what each does and what it waits for'),
});
export const OutputOutput = z.object({
  ...stateShape,
  output: z.string().describe('What the agent has written, from `from` on'),
  next: z.int().describe('`from` of the next call'),
});
export const RequestsOutput = z.object({ requests: z.array(DescribedRequest) });
export const DecideOutput = z.object({
  status: z
    .enum(['accepted', 'already_decided', 'cancelled', 'unknown'])
    .describe('accepted: this decision counts; cancelled: the agent needs none any more'),
  by: z.string().optional().describe('Who decided, if another approver was first'),
});
