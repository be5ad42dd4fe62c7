import type { AnyActorRef } from 'xstate';
import { createAgentServers } from '../../actors/mcp/agent-servers.js';
import type { McpConnection } from '../../actors/mcp/connection-effects.js';
import { createMcpPool, type McpPoolOptions } from '../../actors/mcp/mcp-servers.js';
import type { createServerControl, ServerControl } from '../../actors/mcp/server-control.js';
import type { McpControl } from '../../actors/contract/mcp-control.js';
import type { Settings } from '../../actors/options/settings.js';
import type { SharedServices } from '../../actors/agents/session/shared-services.js';
import type { SessionDirectory } from '../../actors/sessions/session-directory.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';

/** Make the MCP servers that all sessions share; agents may have more for themselves. */
export function createServers(
  settings: Place & { readonly mcpServers: McpPoolOptions['servers'] },
  sessions: SessionDirectory,
  base: Pick<SharedServices, 'processes' | 'timers'>,
  root: () => AnyActorRef,
) {
  const createPool = createPools(settings, sessions, base);
  const mcp = createPool(settings.mcpServers, undefined, tellSessions(sessions));
  const agentServers = createAgentServers({ root, createPool });
  const connection = (id: string): McpConnection =>
    (mcp.connections.get(id) ?? agentServers.connection(id)) as McpConnection; // nothing else opens connections
  return { mcp, agentServers, connection };
}

type Place = Pick<Settings, 'cwd' | 'env' | 'limitServers'>;

/** @returns a function that makes MCP servers: those of all sessions, or those of one agent */
function createPools(
  settings: Place,
  sessions: SessionDirectory,
  { processes, timers }: Pick<SharedServices, 'processes' | 'timers'>,
) {
  const { cwd } = settings;
  const roots = (): readonly string[] => [
    ...new Set([
      cwd,
      ...[...sessions.live()].flatMap(({ permissions }) =>
        Object.keys(permissions.get().additionalWorkingDirectories),
      ),
    ]),
  ];
  return (
    servers: McpPoolOptions['servers'],
    scope: string | undefined,
    listeners: Pick<McpPoolOptions, 'onStatus' | 'onNote'>,
  ) => {
    const { servers: allowed, leftOut } = settings.limitServers?.(servers) ?? {
      servers,
      leftOut: {},
    };
    for (const [name, problem] of Object.entries(leftOut))
      queueMicrotask(() => listeners.onStatus({ name, status: 'failed', problem })); // the listeners of a new session come first
    return createMcpPool({
      servers: allowed,
      scope,
      cwd,
      env: () => settings.env,
      processes,
      timers,
      roots,
      ...listeners,
    });
  };
}

/** Each session gets the events of the servers that all share. */
function tellSessions(sessions: SessionDirectory): Pick<McpPoolOptions, 'onStatus' | 'onNote'> {
  return {
    onStatus(status) {
      for (const { bus, journal } of sessions.live()) {
        journal.append('mcp.jsonl', { type: 'mcp.status', ...status });
        bus.emit('mcp.status', status);
      }
    },
    onNote(server, text) {
      for (const { journal } of sessions.live())
        journal.append('mcp.jsonl', { type: 'mcp.note', server, text });
    },
  };
}

/** Changes of the servers that all sessions share. The code that keeps them is loaded with the first one. */
export function createControl(
  sessions: SessionDirectory,
  owners: () => Omit<Parameters<typeof createServerControl>[0], 'sessions'>,
) {
  let control: Promise<ServerControl> | undefined;
  const load = async (given: ReturnType<typeof owners>): Promise<ServerControl> => {
    const loaded = await import('../../actors/mcp/server-control.js');
    return loaded.createServerControl({ ...given, sessions: sessions.live });
  };
  const opened = async (): Promise<ServerControl> => {
    const given = owners();
    control ??= load(given);
    return control;
  };
  const mcp: McpControl = {
    set: async (servers) => (await opened()).set(servers),
    toggle: async (name, isEnabled) => (await opened()).toggle(name, isEnabled),
    reconnect: async (name) => (await opened()).reconnect(name),
  };
  return { mcp, follow: async (servers: McpServers) => (await opened()).follow(servers) };
}
