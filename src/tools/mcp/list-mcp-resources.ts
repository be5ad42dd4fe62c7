import { z } from 'zod';
import { messageOf } from '../../core/errors.js';
import type { McpResource } from '../../core/agents/mcp-offerings.js';
import { buildTool } from '../build-tool.js';
import { problemOfServer, serversOf } from './find-server.js';

export const ListMcpResourcesInput = z.object({
  server: z.string().optional().describe('Only the resources of this server; of all if absent'),
  refresh: z.boolean().optional().describe('Ask the servers again'),
});
export type ListMcpResourcesInput = z.infer<typeof ListMcpResourcesInput>;

export const ListMcpResourcesOutput = z.object({
  resources: z.array(
    z.object({
      server: z.string(),
      uri: z.string(),
      name: z.string(),
      description: z.string().optional(),
      mimeType: z.string().optional(),
    }),
  ),
  /** Servers whose resources could not be listed, with the reason. */
  failed: z.array(z.object({ server: z.string(), error: z.string() })),
});
export type ListMcpResourcesOutput = z.infer<typeof ListMcpResourcesOutput>;

/** Lists the resources of MCP servers. A server that fails does not hide the others. */
export const ListMcpResourcesTool = buildTool<typeof ListMcpResourcesInput, ListMcpResourcesOutput>(
  {
    name: 'ListMcpResources',
    aliases: ['ListMcpResourcesTool'],
    shouldDefer: true,
    searchHint: 'resources, documents and data that servers offer',
    inputSchema: ListMcpResourcesInput,
    outputSchema: ListMcpResourcesOutput,
    maxResultSizeChars: 100_000,
    isEnabled: ({ hasMcpServers }) => hasMcpServers === true,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    interruptBehavior: () => 'cancel',
    description: ({ server }) => `List the resources of ${server ?? 'all MCP servers'}`,
    prompt: () =>
      'Lists the resources that MCP servers offer: files, records, pages. Read one with ReadMcpResource.',
    mapToolResultToToolResultBlockParam: ({ resources, failed }, toolUseId) => ({
      type: 'tool_result',
      tool_use_id: toolUseId,
      content:
        [
          ...resources.map(describe),
          ...failed.map(
            ({ server, error }) => `${server}: its resources cannot be listed: ${error}`,
          ),
        ].join('\n') || 'No server offers a resource.',
    }),

    validateInput({ server }, context) {
      const message =
        server === undefined ? undefined : problemOfServer('ListMcpResources', server, context);
      return Promise.resolve(message === undefined ? { result: true } : { result: false, message });
    },

    async call({ server: only, refresh = false }, context) {
      const mcp = serversOf('ListMcpResources', context);
      const { signal } = context.call.abortController;
      const resources: ListMcpResourcesOutput['resources'] = [];
      const failed: ListMcpResourcesOutput['failed'] = [];
      await Promise.all(
        (only === undefined ? mcp.servers : [only]).map(async (server) => {
          try {
            const found = await mcp.listResources(server, signal, { refresh });
            resources.push(...found.map((one) => ({ server, ...plain(one) })));
          } catch (error) {
            signal.throwIfAborted();
            failed.push({ server, error: messageOf(error) });
          }
        }),
      );
      return { data: { resources, failed } };
    },
  },
);

function plain({ uri, name, description, mimeType }: McpResource) {
  return {
    uri,
    name,
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

function describe({
  server,
  uri,
  name,
  description = '',
  mimeType = '',
}: ListMcpResourcesOutput['resources'][number]): string {
  const about = [name, mimeType, description].filter((part) => part !== '').join(', ');
  return `${server} ${uri}: ${about.replaceAll(/\s+/g, ' ')}`;
}
