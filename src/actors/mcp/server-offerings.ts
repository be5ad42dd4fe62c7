import { UsageError } from '../../core/errors.js';
import type { McpPrompt, McpResource } from '../../core/agents/mcp-offerings.js';
import { messageOf } from '../../core/errors.js';
import { toResultBlocks } from '../../extensions/mcp/content-blocks.js';
import { McpToolError } from '../../extensions/mcp/mcp-errors.js';
import type { McpClient } from '../../extensions/mcp/sdk-client.js';
import { toMcpToolName } from '../../extensions/mcp/tool-names.js';
import type { ServerOfferings } from '../agents/session/server-offerings.js';

type ServerPrompt = McpClient['prompts'][number];

/** Make the access to what servers offer beside tools. */
export function createServerOfferings({
  servers,
  clientOf,
  connected,
}: {
  readonly servers: readonly string[];
  /** The client of a server that is connected. */
  readonly clientOf: (server: string) => McpClient | undefined;
  /** Resolves with the client when the server is connected. */
  readonly connected: (server: string, signal: AbortSignal) => Promise<McpClient>;
}): ServerOfferings {
  const lists = new WeakMap<McpClient, Promise<readonly McpResource[]>>();
  const heard = new WeakSet<McpClient>();

  const forgetIfChanged = (client: McpClient): void => {
    if (heard.has(client)) return;
    heard.add(client);
    client.onChange(({ type }) => {
      if (type === 'resources') lists.delete(client);
    });
  };

  return {
    servers,
    async listResources(server, signal, { refresh = false } = {}) {
      const client = await connected(server, signal);
      forgetIfChanged(client);
      const known = refresh ? undefined : lists.get(client);
      if (known !== undefined) return known;
      const list = client.listResources(signal).catch((error: unknown) => {
        lists.delete(client);
        signal.throwIfAborted();
        throw new McpToolError(`The MCP server "${server}": ${messageOf(error)}`, { cause: error });
      });
      lists.set(client, list);
      return list;
    },
    async readResource(server, uri, signal) {
      return (await connected(server, signal)).readResource(uri, signal);
    },
    prompts: () =>
      servers.flatMap((server) =>
        (clientOf(server)?.prompts ?? []).flatMap((prompt) => toPrompt(server, prompt)),
      ),
    async fillPrompt({ serverName, promptName, name, args: wanted }, given, signal) {
      const values = Object.fromEntries(
        wanted.flatMap((arg, index) => {
          const rest = index === wanted.length - 1 ? given.slice(index).join(' ') : given[index];
          return rest === undefined || rest === '' ? [] : [[arg.name, rest]];
        }),
      );
      const missing = wanted.find((arg) => arg.required && values[arg.name] === undefined);
      if (missing !== undefined)
        throw new UsageError(`/${name} needs ${missing.name}: /${name} ${usageOf(wanted)}`);
      const client = await connected(serverName, signal);
      const { messages } = await client.getPrompt(promptName, values, signal);
      return messages.flatMap(({ content }) => toResultBlocks({ content: [content] }));
    },
    instructions: () =>
      servers.flatMap((server) => {
        const text = clientOf(server)?.instructions?.trim() ?? '';
        return text === '' ? [] : [{ server, text }];
      }),
  };
}

function toPrompt(serverName: string, prompt: ServerPrompt): readonly McpPrompt[] {
  const name = toMcpToolName(serverName, prompt.name);
  if (name === undefined) return [];
  const { title = prompt.name, description = title, arguments: args = [] } = prompt;
  return [
    {
      serverName,
      promptName: prompt.name,
      name,
      description,
      args: args.map((arg) => ({ name: arg.name, required: arg.required === true })),
    },
  ];
}

/** The arguments as a person types them. */
export function usageOf(args: McpPrompt['args']): string {
  return args.map(({ name, required }) => (required ? name : `[${name}]`)).join(' ');
}
