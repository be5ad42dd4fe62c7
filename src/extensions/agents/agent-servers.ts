import type { AgentDefinition, AgentMcpServerSpec } from '../../core/agents/agent-definition.js';
import type { Environment } from '../../files/folders.js';
import { readServers } from '../mcp/servers/load-config.js';
import { loadManagedServers } from '../mcp/servers/load-managed-servers.js';
import { isSdkServer } from '../mcp/servers/sdk-server.js';
import type { McpServers } from '../mcp/servers/server-config.js';

type Owner = Pick<AgentDefinition, 'name' | 'mcpServers'>;

/** The servers that an agent brings with it, by name. */
export function ownServersOf({ mcpServers = [] }: Pick<Owner, 'mcpServers'>): McpServers {
  return Object.assign({}, ...mcpServers.filter(isOwn)) as McpServers; // checked with the options
}

/** The names of all servers of an agent: its own ones, and those of the session. */
export function serverNamesOf({ mcpServers = [] }: Pick<Owner, 'mcpServers'>): readonly string[] {
  return mcpServers.flatMap((one) => (isOwn(one) ? Object.keys(one) : [one]));
}

/** Whether an agent brings servers with it. */
export function hasOwnServers({ mcpServers = [] }: Pick<Owner, 'mcpServers'>): boolean {
  return mcpServers.some(isOwn);
}

/** The same agent without its own servers; it keeps the names of servers of the session. */
export function withoutOwnServers<One extends Owner>(agent: One): One {
  return { ...agent, mcpServers: agent.mcpServers?.filter((one) => !isOwn(one)) };
}

/**
 * Read the servers that agents bring with them. Invalid ones are left out, with a warning, and so are all if an
 * administrator names the servers of this machine.
 */
export function withReadServers<One extends Owner>(
  agents: readonly One[],
  placeOf: (agent: One) => string,
  env: Environment,
): { readonly agents: readonly One[]; readonly warnings: readonly string[] } {
  if (!agents.some(hasOwnServers)) return { agents, warnings: [] };
  const managed = loadManagedServers(env);
  const warnings: string[] = [];
  const read = agents.map((agent): One => {
    if (!hasOwnServers(agent)) return agent;
    if (managed !== undefined) {
      const names = Object.keys(ownServersOf(agent)).join(', ');
      warnings.push(
        `${placeOf(agent)}: these MCP servers are left out: ${names}. ${managed.file} names all that may be used.`,
      );
      return withoutOwnServers(agent);
    }
    const mcpServers = agent.mcpServers?.map((one) => {
      if (!isOwn(one)) return one;
      const own = readOwn(one, placeOf(agent), env);
      warnings.push(...own.warnings);
      return own.servers;
    });
    return { ...agent, mcpServers };
  });
  return { agents: read, warnings };
}

function isOwn(spec: AgentMcpServerSpec): spec is Exclude<AgentMcpServerSpec, string> {
  return typeof spec !== 'string';
}

function readOwn(written: Readonly<Record<string, unknown>>, file: string, env: Environment) {
  const all = Object.entries(written);
  const inProgram = Object.fromEntries(all.filter(([, server]) => isSdkServer(server)));
  const others = Object.fromEntries(all.filter(([, server]) => !isSdkServer(server)));
  const place = { file, env, path: ['mcpServers'], positionOf: () => ({}), drops: true };
  const { servers, warnings } = readServers(others, place);
  return { servers: { ...inProgram, ...servers }, warnings };
}
