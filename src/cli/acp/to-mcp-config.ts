import type { McpServer } from '@agentclientprotocol/sdk';

/** The servers of a client as the text of an MCP configuration; none for no servers. */
export function toMcpConfig(servers: readonly McpServer[]): readonly string[] {
  if (servers.length === 0) return [];
  const mcpServers = Object.fromEntries(servers.map((server) => [server.name, toConfig(server)]));
  return [JSON.stringify({ mcpServers })];
}

function toConfig(server: McpServer) {
  if ('type' in server) {
    const { type, url, headers } = server;
    return { type, url, headers: toRecord(headers) };
  }
  const { command, args, env } = server;
  return { command, args, env: toRecord(env) };
}

function toRecord(
  pairs: readonly { readonly name: string; readonly value: string }[],
): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
