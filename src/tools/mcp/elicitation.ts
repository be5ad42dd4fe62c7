import { z } from 'zod';
import type { ElicitationRequest } from '../../core/agents/elicitation.js';
import { completeTool } from '../complete-tool.js';

const ElicitationInput = z.object({
  serverName: z.string(),
  message: z.string(),
  mode: z.enum(['form', 'url']),
  url: z.string().exactOptional(),
  elicitationId: z.string().exactOptional(),
  requestedSchema: z
    .looseObject({
      type: z.literal('object'),
      properties: z.record(z.string(), z.record(z.string(), z.unknown())),
      required: z.array(z.string()).optional(),
    })
    .exactOptional(),
}) satisfies z.ZodType<ElicitationRequest>;

/**
 * A question of an MCP server for the person. No agent has this tool: it is the name of the permission requests, and of
 * rules such as `Elicitation(files)`. The answer comes with the decision, as `content` of the edited input.
 */
export const ElicitationTool = completeTool({
  name: 'Elicitation',
  inputSchema: ElicitationInput,
  askKind: 'elicitation',
  requiresUserInteraction: () => true,
  isReadOnly: () => true,
  permissionTarget: ({ serverName }) => ({ kind: 'name', name: serverName }),
  description: ({ serverName, message }) => `${serverName} asks: ${message}`,
  checkPermissions: ({ serverName, message }) =>
    Promise.resolve({
      behavior: 'ask',
      message: `The MCP server "${serverName}" asks: ${message}`,
      decisionReason: { type: 'other', reason: 'only a person can answer it' },
    }),
  call: () => Promise.reject(new Error('Elicitation: a question is answered, not run.')),
});

/** Read the input of a permission request of {@link ElicitationTool}; undefined if it is invalid. */
export function readElicitation(input: unknown): ElicitationRequest | undefined {
  return ElicitationInput.safeParse(input).data;
}
