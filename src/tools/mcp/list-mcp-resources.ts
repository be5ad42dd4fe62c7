import { z } from 'zod';
import { messageOf } from '../../core/errors.js';
import { given } from '../../core/json/given.js';
import type { McpResource } from '../../core/agents/mcp-offerings.js';
import { completeTool } from '../complete-tool.js';
import { problemOfServer, serversOf } from './find-server.js';

export const ListMcpResourcesInput = z.object({
  server: z.string().optional().describe('Only the resources of this server; of all if absent'),
  refresh: z.boolean().optional().describe('Ask the servers again'),
});
export type ListMcpResourcesInput = z.infer<typeof ListMcpResourcesInput>;

const about = {
  server: z.string(),
  name: z.string(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
};

export const ListMcpResourcesOutput = z.object({
  resources: z.array(z.object({ ...about, uri: z.string() })),
  /** Patterns for the addresses of more resources. */
  templates: z.array(z.object({ ...about, uriTemplate: z.string() })),
  /** Servers whose resources could not be listed, with the reason. */
  failed: z.array(z.object({ server: z.string(), error: z.string() })),
});
export type ListMcpResourcesOutput = z.infer<typeof ListMcpResourcesOutput>;

/** Lists the resources of MCP servers. A server that fails does not hide the others. */
export const ListMcpResourcesTool = completeTool<
  typeof ListMcpResourcesInput,
  ListMcpResourcesOutput
>({
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
    'Lists the resources that MCP servers offer: files, records, pages. Read one with ReadMcpResource. An address with {braces} is a template: replace each brace by a value.',
  mapToolResultToToolResultBlockParam: ({ resources, templates, failed }, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content:
      [
        ...resources.map((one) => describe(one.uri, one)),
        ...templates.map((one) => describe(one.uriTemplate, one)),
        ...failed.map(({ server, error }) => `${server}: its resources cannot be listed: ${error}`),
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
    const templates: ListMcpResourcesOutput['templates'] = [];
    const failed: ListMcpResourcesOutput['failed'] = [];
    await Promise.all(
      (only === undefined ? mcp.servers : [only]).map(async (server) => {
        try {
          const [found, patterns] = await Promise.all([
            mcp.listResources(server, signal, { refresh }),
            mcp.listResourceTemplates(server, signal, { refresh }),
          ]);
          resources.push(...found.map((one) => ({ uri: one.uri, ...plain(server, one) })));
          templates.push(
            ...patterns.map((one) => ({ uriTemplate: one.uriTemplate, ...plain(server, one) })),
          );
        } catch (error) {
          signal.throwIfAborted();
          failed.push({ server, error: messageOf(error) });
        }
      }),
    );
    return { data: { resources, templates, failed } };
  },
});

type About = Omit<McpResource, 'uri'>;

function plain(server: string, { name, description, mimeType }: About) {
  return { server, name, ...given({ description, mimeType }) };
}

function describe(
  address: string,
  { server, name, description = '', mimeType = '' }: About & { readonly server: string },
): string {
  const parts = [name, mimeType, description].filter((part) => part !== '').join(', ');
  return `${server} ${address}: ${parts.replaceAll(/\s+/g, ' ')}`;
}
