import type { ToolUseContext } from '../../../tools/tool.js';
import type { ServerQuestion } from './answer-server.js';

/** The context of a call that begins. A tool of an MCP server can ask back. */
export function contextForUse(question: ServerQuestion): ToolUseContext {
  const { caller, call, context } = question;
  if (call.tool?.mcpInfo === undefined) return context;
  return {
    ...context,
    call: {
      ...context.call,
      serverRequests: {
        agentId: caller.id,
        elicit: async (request, signal) =>
          (await import('./answer-server.js')).elicit(question, request, signal),
        sample: async (request, signal) =>
          (await import('./answer-server.js')).sample(question, request, signal),
      },
    },
  };
}
