/** Shapes of the inputs and results of the tools that Troupe offers as an MCP server. */
import { z } from 'zod';
import { TASK_STATUSES } from '../../../core/task-types.js';
import { strictObject } from '../../../core/text/strict-object.js';
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
export const DecideInput = strictObject({
  requestId: z.string().min(1).describe('ID of the request: see `requests`'),
  decision: z.enum(['allow', 'deny']),
  message: z.string().min(1).optional().describe('Words for the agent'),
  answers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe('For a question that is allowed: the answers, by the text of the question'),
});

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
export const RequestsOutput = z.object({
  requests: z.array(
    z.object({
      requestId: z.string(),
      id: z
        .string()
        .optional()
        .describe('The spawned agent at or above which the request was made'),
      kind: z.enum(['permission', 'question', 'plan', 'elicitation']),
      agent: z.string().describe('Name or type of the agent that asks'),
      taskId: z.string(),
      tool: z.string(),
      input: z.record(z.string(), z.unknown()).describe('The whole input: what runs if allowed'),
      description: z.string(),
      reason: z.string().describe('Why permission is needed'),
      isDestructive: z.boolean(),
      path: z
        .array(z.object({ actor: z.string(), verdict: z.string(), at: z.number() }))
        .describe('The actors that the request passed, the tool call first'),
      at: z.number().describe('Epoch ms'),
    }),
  ),
});
export const DecideOutput = z.object({
  status: z
    .enum(['accepted', 'already_decided', 'cancelled', 'unknown'])
    .describe('accepted: this decision counts; cancelled: the agent needs none any more'),
  by: z.string().optional().describe('Who decided, if another approver was first'),
});
