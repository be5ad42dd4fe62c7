import { nearestName } from '../../core/text/nearest-name.js';
import type { McpCapabilities } from '../capabilities/mcp-capabilities.js';
import { ToolInputError } from '../tool-input-error.js';
import type { ToolUseContext } from '../tool.js';

/** The servers of a call. @throws ToolInputError if there are none */
export function serversOf(toolName: string, { session }: ToolUseContext): McpCapabilities {
  if (session.mcp !== undefined) return session.mcp;
  throw new ToolInputError(toolName, `${toolName}: the session has no MCP servers.`);
}

/** Why a name is the name of no server; undefined if it is one. */
export function problemOfServer(
  toolName: string,
  server: string,
  { session }: ToolUseContext,
): string | undefined {
  const servers = session.mcp?.servers ?? [];
  if (servers.includes(server)) return undefined;
  const nearest = nearestName(server, servers);
  const hint =
    nearest === undefined
      ? `There are: ${servers.join(', ') || 'no servers'}`
      : `Did you mean "${nearest}"?`;
  return `${toolName}: there is no MCP server "${server}". ${hint}`;
}
