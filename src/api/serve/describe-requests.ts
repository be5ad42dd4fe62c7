import { z } from 'zod';
import type { ServedAgents } from './serve-types.js';

/** A pending request as clients see it: the whole input, and the path that it took. */
export const DescribedRequest = z.object({
  requestId: z.string(),
  id: z.string().optional().describe('The spawned agent at or above which the request was made'),
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
});
export type DescribedRequest = z.infer<typeof DescribedRequest>;

/** Describe all pending requests, oldest first. */
export function describeRequests(
  agents: Pick<ServedAgents, 'requests' | 'ownerOf'>,
): DescribedRequest[] {
  return agents.requests().map((request) => {
    const { requestId, kind, taskId, agent, toolName, input, description, message, at } = request;
    const id = agents.ownerOf(request);
    return {
      requestId,
      ...(id === undefined ? {} : { id }),
      kind,
      agent: agent.name ?? agent.type,
      taskId,
      tool: toolName,
      input,
      description,
      reason: message,
      isDestructive: request.isDestructive === true,
      path: request.path.map((hop) => ({ ...hop })),
      at,
    };
  });
}
