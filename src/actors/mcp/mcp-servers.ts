import type { AnyActorRef } from 'xstate';
import { once } from '../../core/lazily.js';
import { LONGEST_TIMER_MS } from '../../core/time/duration.js';
import type { McpServerStatus } from '../../core/agents/mcp-types.js';
import { McpConnectError } from '../../extensions/mcp/mcp-errors.js';
import type { McpCaller } from '../../extensions/mcp/client/mcp-tool.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { McpCallLimits } from '../../extensions/mcp/client/call-clock.js';
import type { McpClient } from '../../extensions/mcp/client/sdk-client.js';
import type { ProcessSupervisor } from '../../processes/process-supervisor.js';
import type { Tool } from '../../tools/tool.js';
import type { Alarm } from '../services/timers.js';
import { serverWaitOf } from '../options/limits-from-environment.js';
import type { ServerOfferings } from '../agents/session/server-offerings.js';
import type { createPoolChanges, PoolChanges } from './pool-changes.js';
import { createServerOfferings } from './server-offerings.js';
import { createServerSet, type ServerSet } from './server-set.js';
import { createToolLists } from './tool-lists.js';
import {
  connectionId,
  createConnectionActors,
  type ConnectionActors,
} from './connection-actors.js';
import {
  createMcpConnection,
  type McpConnection,
  type McpConnectionOptions,
} from './connection-effects.js';
import type { Environment } from '../../files/folders.js';

const CALL_TIMEOUT_MS = 60_000;
/** The specification asks for a maximum that progress does not extend (revision 2025-11-25, lifecycle, timeouts). */
const CALL_MAX_TOTAL_MS = 3_600_000;
/** How long a program waits for all servers. */
const READY_LIMIT_MS = 30_000;

/** The MCP servers of one orchestrator. A server starts with the first session. */
export interface McpPool extends PoolChanges {
  readonly connections: ReadonlyMap<string, McpConnection>;
  /**
   * Start the servers that do not run, also after a failure. Resolves with the tools of the connected servers, when
   * each has connected or failed, at the latest after 30 s, or sooner for the first request of a session. Never rejects.
   */
  open(root: AnyActorRef, isForFirstRequest?: boolean): Promise<readonly Tool[]>;
  /** Call a tool of a server by the server's own name for it, within the server's time-out. */
  call(server: string, call: Parameters<McpCaller>[0]): ReturnType<McpCaller>;
  list(): readonly McpServerStatus[];
  /** The tools of the connected servers at present. */
  tools(): readonly Tool[];
  /** List the tools of the connected servers again. Resolves when the listeners have them. Never rejects. */
  refresh(): Promise<void>;
  /** Notify the connected servers if the folders have changed since the last call. */
  notifyOfRoots(): void;
  /** Resources, prompts and instructions of the servers. */
  readonly offerings: ServerOfferings;
  /** Call `listener` when a server has other tools. @returns a function that stops it */
  onChange(listener: () => void): () => void;
  /** End the servers. Resolves when none of their processes is left. */
  close(): Promise<void>;
}

export type McpPoolOptions = {
  readonly servers: McpServers;
  /** The task whose agent has the servers for itself; undefined for the servers of all sessions. */
  readonly scope: string | undefined;
  readonly cwd: string;
  /** Environment at present. */
  readonly env: () => Environment;
  readonly processes: ProcessSupervisor;
  readonly timers: Alarm;
  readonly onStatus: (status: McpServerStatus) => void;
  readonly onNote: (server: string, text: string) => void;
  /** The folders that servers may know of. */
  readonly roots: () => readonly string[];
};

/** @throws UsageError for an invalid server name, or an invalid wait for servers in the environment */
export function createMcpPool(options: McpPoolOptions): McpPool {
  const { env, onNote } = options;
  const set = createServerSet(options.servers);
  const listeners = new Set<() => void>();
  const tellChange = (): void => listeners.forEach((listener) => listener());
  const tools = createToolLists({ configOf: set.configOf, env, onNote }, tellChange);
  const idOf = (name: string): string => connectionId(name, options.scope);
  const actors = createConnectionActors(idOf, (status) => {
    options.onStatus(status);
    if (status.status === 'connected' || status.status === 'failed') tellChange();
  });

  const noteOf = (server: string) => (text: string) => onNote(server, text);
  const connections = new Map<string, McpConnection>();
  const names = (): readonly string[] => [...connections.keys()];
  const enabled = (): readonly string[] => names().filter((name) => !set.isDisabled(name));
  const add = ([server, config]: readonly [string, McpServers[string]]): void => {
    const onTools: McpConnectionOptions['onTools'] = (descriptors) =>
      tools.set(server, descriptors, callerOf(server));
    const own = { server, id: idOf(server), config, onTools, onNote: noteOf(server) };
    connections.set(server, createMcpConnection({ ...options, ...own }));
  };
  Object.entries(options.servers).forEach(add);

  const connected = connectedIn(actors, connections, set);
  const callerOf =
    (name: string): McpCaller =>
    async (call) => {
      const client = await connected(name, call.signal);
      const result = await client.callTool({ ...call, limits: callLimitsOf(set.configOf(name)) });
      await connections.get(name)?.relisted(); // the next request has the tools that the call has changed
      return result;
    };
  /** A server that is connected again keeps its tools: new calls wait for it. */
  const connectedTools = (): readonly Tool[] =>
    names().flatMap((name) =>
      ['connected', 'reconnecting'].includes(actors.statusOf(name).status) ? tools.of(name) : [],
    );

  const offerings = createServerOfferings({
    servers: names,
    clientOf: (name) => connections.get(name)?.client,
    connected,
    lost: (name, signal) => actors.leaves(name, ['connected'], signal),
    call: (server, call) => callerOf(server)(call),
  });

  const notifyOfRoots = createRootsNotice(options.roots, connections);
  const open = createOpener(enabled, actors, options);
  const forget = async (name: string): Promise<void> => {
    await actors.close(name);
    actors.forget(name);
    connections.delete(name);
    tools.forget(name);
  };
  const answered: Effects['answered'] = (wanted) =>
    firstAnswers(wanted, actors, options.timers, READY_LIMIT_MS);
  const effects = { add, forget, open, answered, tellChange };
  return {
    connections,
    offerings,
    call: (server, call) => callerOf(server)(call),
    list: () =>
      names().map((name) =>
        set.isDisabled(name) ? { name, status: 'closed' } : actors.statusOf(name),
      ),
    tools: connectedTools,
    refresh: async () => void (await Promise.all([...connections.values()].map(relist))),
    notifyOfRoots,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => void (await Promise.all(names().map(actors.close))),
    async open(root, isForFirstRequest = false) {
      notifyOfRoots();
      await open(root, isForFirstRequest);
      return connectedTools();
    },
    configured: set.all,
    ...loadedChanges({ set, actors, connections }, effects),
  };
}

type Effects = Parameters<typeof createPoolChanges>[1];

/** The changes of a pool. Few sessions change their servers, so their code is loaded with the first change. */
function loadedChanges(
  ...owners: Parameters<typeof createPoolChanges>
): ReturnType<typeof createPoolChanges> {
  const load = once(async () => (await import('./pool-changes.js')).createPoolChanges(...owners));
  return {
    replace: async (next, root) => (await load()).replace(next, root),
    disable: async (name) => (await load()).disable(name),
    restart: async (name, root) => (await load()).restart(name, root),
  };
}

const relist = (connection: McpConnection): Promise<void> => connection.relist();

/** @returns a function that starts the servers, and resolves when each has connected or failed, or after a while */
function createOpener(
  names: () => readonly string[],
  actors: ConnectionActors,
  { timers, env }: Pick<McpPoolOptions, 'env' | 'timers'>,
) {
  const firstWaitMs = serverWaitOf(env());
  return async (root: AnyActorRef, isForFirstRequest: boolean): Promise<void> => {
    for (const name of names()) actors.open(name, root);
    const limitMs = isForFirstRequest ? firstWaitMs : READY_LIMIT_MS;
    if (limitMs > 0) await firstAnswers(names(), actors, timers, limitMs);
  };
}

function createRootsNotice(
  roots: () => readonly string[],
  connections: ReadonlyMap<string, McpConnection>,
): () => void {
  let last = '';
  return () => {
    if (connections.size === 0) return;
    const now = roots().toSorted().join('\0');
    if (now === last) return;
    last = now;
    for (const { client } of connections.values()) void client?.notifyOfRoots();
  };
}

/** Resolve when each server has connected or failed, or at the limit. */
async function firstAnswers(
  names: readonly string[],
  actors: Pick<ConnectionActors, 'leaves'>,
  timers: Alarm,
  limitMs: number,
): Promise<void> {
  const limit = new AbortController();
  const cancel = timers.after(limitMs, () => limit.abort());
  await Promise.allSettled(names.map((name) => actors.leaves(name, ['connecting'], limit.signal)));
  cancel();
}

/** @returns a function that resolves with the client of a server when the server is connected */
function connectedIn(
  actors: Pick<ConnectionActors, 'leaves'>,
  connections: ReadonlyMap<string, McpConnection>,
  set: Pick<ServerSet, 'isDisabled'>,
) {
  return async (name: string, signal: AbortSignal): Promise<McpClient> => {
    if (!connections.has(name))
      throw new McpConnectError(name, 'it is not configured any more. Do without its tools');
    if (set.isDisabled(name))
      throw new McpConnectError(name, 'it is disabled. Do without its tools');
    const { status, problem } = await actors.leaves(name, ['connecting', 'reconnecting'], signal);
    const client = connections.get(name)?.client;
    if (status === 'connected' && client !== undefined) return client;
    if (status === 'failed')
      throw new McpConnectError(name, `${problem ?? 'unknown'}. Do without its tools`);
    throw new McpConnectError(name, 'it is being shut down');
  };
}

function callLimitsOf(config: McpServers[string] | undefined): McpCallLimits {
  if (config?.type === 'sdk')
    return { timeoutMs: config.timeout ?? LONGEST_TIMER_MS, maxTotalMs: LONGEST_TIMER_MS };
  const timeoutMs = config?.timeout ?? CALL_TIMEOUT_MS;
  const maxTotalMs = config?.maxTotalTimeout ?? Math.max(timeoutMs, CALL_MAX_TOTAL_MS);
  return { timeoutMs, maxTotalMs };
}
