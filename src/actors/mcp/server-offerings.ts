import type { McpPrompt } from '../../core/commands/command.js';
import { messageOf, UsageError } from '../../core/errors.js';
import { textOfBlocks, toResultBlocks } from '../../extensions/mcp/client/content-blocks.js';
import type { McpCaller } from '../../extensions/mcp/client/mcp-tool.js';
import { McpToolError } from '../../extensions/mcp/mcp-errors.js';
import type { McpClient } from '../../extensions/mcp/client/sdk-client.js';
import { toMcpToolName } from '../../extensions/mcp/servers/tool-names.js';
import type { ListResourcesOptions } from '../../tools/capabilities/mcp-capabilities.js';
import type { ServerOfferings } from '../agents/session/server-offerings.js';

type ServerPrompt = McpClient['prompts'][number];

/** Make the access to what servers offer beside tools. */
export function createServerOfferings({
  servers,
  clientOf,
  connected,
  lost,
  call,
}: {
  readonly servers: () => readonly string[];
  /** The client of a server that is connected. */
  readonly clientOf: (server: string) => McpClient | undefined;
  /** Resolves with the client when the server is connected. */
  readonly connected: (server: string, signal: AbortSignal) => Promise<McpClient>;
  /** Resolves when the server is not connected any more. */
  readonly lost: (server: string, signal: AbortSignal) => Promise<unknown>;
  readonly call: (server: string, call: Parameters<McpCaller>[0]) => ReturnType<McpCaller>;
}): ServerOfferings {
  return {
    get servers() {
      return servers();
    },
    listResources: keepLists(connected, (client, signal) => client.listResources(signal)),
    listResourceTemplates: keepLists(connected, (client, signal) =>
      client.listResourceTemplates(signal),
    ),
    async readResource(server, uri, signal) {
      return (await connected(server, signal)).readResource(uri, signal);
    },
    async watchResource(server, uri, onUpdate, signal) {
      for (;;) {
        const client = await connected(server, signal);
        const stopListening = client.onChange((change) => {
          if (change.type === 'resource' && change.uri === uri) onUpdate();
        });
        try {
          await client.subscribe(uri, signal).catch(() => signal.throwIfAborted()); // then it is only read again and again
          onUpdate(); // it may have changed before
          await lost(server, signal);
        } finally {
          stopListening();
          if (clientOf(server) === client) void unsubscribe(client, uri);
        }
      }
    },
    async callTool(server, tool, args, signal) {
      const result = await call(server, { tool, args, signal });
      const text = textOfBlocks(toResultBlocks(result));
      if (result.isError === true) throw new McpToolError(text);
      return text;
    },
    prompts: () =>
      servers().flatMap((server) =>
        (clientOf(server)?.prompts ?? []).flatMap((prompt) => toPrompt(server, prompt)),
      ),
    async fillPrompt(prompt, given, signal) {
      const values = valuesOf(prompt, given);
      const client = await connected(prompt.serverName, signal);
      const { messages } = await client.getPrompt(prompt.promptName, values, signal);
      return messages.flatMap(({ content }) => toResultBlocks({ content: [content] }));
    },
    instructions: () =>
      servers().flatMap((server) => {
        const text = clientOf(server)?.instructions?.trim() ?? '';
        return text === '' ? [] : [{ server, text }];
      }),
  };
}

/** Make a function that lists, and keeps each list until its server reports a change of its resources. */
function keepLists<Entry>(
  connected: (server: string, signal: AbortSignal) => Promise<McpClient>,
  read: (client: McpClient, signal: AbortSignal) => Promise<readonly Entry[]>,
): (
  server: string,
  signal: AbortSignal,
  options?: ListResourcesOptions,
) => Promise<readonly Entry[]> {
  const lists = new WeakMap<McpClient, Promise<readonly Entry[]>>();
  const heard = new WeakSet<McpClient>();
  const forgetIfChanged = (client: McpClient): void => {
    if (heard.has(client)) return;
    heard.add(client);
    client.onChange(({ type }) => {
      if (type === 'resources') lists.delete(client);
    });
  };
  return async (server, signal, { refresh = false } = {}) => {
    const client = await connected(server, signal);
    forgetIfChanged(client);
    const known = refresh ? undefined : lists.get(client);
    if (known !== undefined) return known;
    const list = read(client, signal).catch((error: unknown) => {
      lists.delete(client);
      signal.throwIfAborted();
      throw new McpToolError(`The MCP server "${server}": ${messageOf(error)}`, { cause: error });
    });
    lists.set(client, list);
    return list;
  };
}

/** The arguments of a prompt; the last one takes the rest of the words. @throws UsageError if one is missing */
function valuesOf(
  { name, args }: McpPrompt,
  given: readonly string[],
): Readonly<Record<string, string>> {
  const values = Object.fromEntries(
    args.flatMap((arg, index) => {
      const value = index === args.length - 1 ? given.slice(index).join(' ') : given[index];
      return value === undefined || value === '' ? [] : [[arg.name, value]];
    }),
  );
  const missing = args.find((arg) => arg.required && values[arg.name] === undefined);
  if (missing === undefined) return values;
  throw new UsageError(`/${name} needs ${missing.name}: /${name} ${usageOf(args)}`);
}

function toPrompt(serverName: string, prompt: ServerPrompt): readonly McpPrompt[] {
  const name = toMcpToolName(serverName, prompt.name);
  if (name === undefined) return [];
  const { title = prompt.name, description = title, arguments: wanted = [] } = prompt;
  const args = wanted.map((arg) => ({ name: arg.name, required: arg.required === true }));
  return [
    {
      type: 'prompt',
      loadedFrom: 'mcp',
      source: 'mcp',
      isMcp: true,
      serverName,
      promptName: prompt.name,
      name,
      description,
      ...(args.length > 0 && { argumentHint: usageOf(args) }),
      args,
    },
  ];
}

/** The arguments as a person types them. */
function usageOf(args: McpPrompt['args']): string {
  return args.map(({ name, required }) => (required ? name : `[${name}]`)).join(' ');
}

/** End a subscription, whatever the server answers. */
async function unsubscribe(client: McpClient, uri: string): Promise<void> {
  await client.unsubscribe(uri, AbortSignal.timeout(UNSUBSCRIBE_MS)).catch(() => {});
}

const UNSUBSCRIBE_MS = 5_000;
