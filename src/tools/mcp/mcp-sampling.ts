import { z } from 'zod';
import { completeTool } from '../complete-tool.js';

export const McpSamplingInput = z.object({
  serverName: z.string(),
  model: z.string(),
  maxTokens: z.int().positive(),
  systemPrompt: z.string().optional(),
  /** Names of the server's tools that the model may call. */
  tools: z.array(z.string()).optional(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })),
});

/**
 * A model request of an MCP server. No agent has this tool: it is the name of the permission requests, and of rules such
 * as `McpSampling(files)`.
 */
export const McpSamplingTool = completeTool({
  name: 'McpSampling',
  inputSchema: McpSamplingInput,
  isReadOnly: () => true,
  permissionTarget: ({ serverName }) => ({ kind: 'name', name: serverName }),
  description: ({ serverName, model, maxTokens }) =>
    `The MCP server "${serverName}" sends a request to ${model}, for at most ${maxTokens} tokens of your budget`,
  toAutoClassifierInput: ({ serverName, messages }) =>
    `${serverName}: ${messages.map(({ text }) => text).join('\n')}`,
  call: () => Promise.reject(new Error('McpSampling: a model answers it.')),
});
