import type { AnyActorRef } from 'xstate';
import type { McpServerStatus } from '../../core/agents/mcp-types.js';
import type { TaskId } from '../../core/ids.js';
import { ownServersOf, serverNamesOf } from '../../extensions/agents/agent-servers.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { AgentServers, ServerListeners } from '../agents/session/agent-servers.js';
import { connectionId } from './connection-actors.js';
import type { McpConnection } from './connection-effects.js';
import type { McpPool } from './mcp-servers.js';

/** Nothing is made before an agent with servers starts. */
export function createAgentServers({
  root,
  createPool,
}: {
  readonly root: () => AnyActorRef;
  readonly createPool: (servers: McpServers, scope: string, listeners: ServerListeners) => McpPool;
}): AgentServers & {
  /** The connection with this ID; undefined if no agent has opened it. */
  connection(id: string): McpConnection | undefined;
} {
  const pools = new Map<TaskId, McpPool & { readonly stopWatching: () => void }>();
  const connections = new Map<string, McpConnection>();
  return {
    open(taskId, definition, known, listeners) {
      if (definition.mcpServers === undefined) return undefined;
      const servers = ownServersOf(definition);
      const names = Object.keys(servers);
      reportUnknown(serverNamesOf(definition), [...known, ...names], listeners.onStatus);
      if (names.length === 0) return undefined;
      const pool = createPool(servers, taskId, listeners);
      pools.set(taskId, { ...pool, stopWatching: listeners.watchFolders(pool.notifyOfRoots) });
      for (const [name, connection] of pool.connections)
        connections.set(connectionId(name, taskId), connection);
      return { ...pool, ready: pool.open(root(), true) };
    },
    connection: (id) => connections.get(id),
    async close(taskId) {
      const pool = pools.get(taskId);
      if (pool === undefined) return;
      pool.stopWatching();
      await pool.close();
      pools.delete(taskId);
      for (const name of pool.connections.keys()) connections.delete(connectionId(name, taskId));
    },
  };
}

function reportUnknown(
  names: readonly string[],
  known: readonly string[],
  onStatus: (status: McpServerStatus) => void,
): void {
  for (const name of names)
    if (!known.includes(name))
      queueMicrotask(() =>
        onStatus({ name, status: 'failed', problem: 'no MCP server of the session has this name' }),
      ); // the listeners of a new session come first
}
