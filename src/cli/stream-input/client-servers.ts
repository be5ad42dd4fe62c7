import { z } from 'zod';
import { UsageError } from '../../api/errors.js';
import { describeRefusal, quotedField, withFullStop } from '../../api/text.js';
import { createSetServers, toPolicyRules } from '../../api/query/change-servers.js';
import { LONGEST_TIMER_MS, createRelayServer, loadMcpConfig } from '../../api/mcp/mcp.js';
import type {
  LoadedMcpConfig,
  McpControl,
  McpSetServersResult,
  PermissionUpdate,
  RelayServer,
  SessionHandle,
} from '../../api/types.js';
import type { ClientChannel } from './client-channel.js';

const SHORTEST_TIMEOUT_MS = 1_000;

/** The settings of one of the servers inside a client. */
export const ClientServer = z.looseObject({
  /** Timeout of a call, ms; a value below a second is ignored. */
  timeout: z.number().max(LONGEST_TIMER_MS).nullish(),
  /** Policies of tools. */
  tools: z.unknown().optional(),
});
export type ClientServer = z.infer<typeof ClientServer>;

/** Connect the servers inside a client by messages over its channel. */
export function createRelays(
  servers: Readonly<Record<string, ClientServer>>,
  channel: Pick<ClientChannel, 'request'>,
): ReadonlyMap<string, RelayServer> {
  return new Map(
    Object.entries(servers).map(([name, { timeout }]) => {
      const send = async (message: object): Promise<unknown> => {
        const request = { subtype: 'mcp_message', server_name: name, message };
        const response = await channel.request(request);
        return (response as { readonly mcp_response?: unknown } | undefined)?.mcp_response; // the receiver checks it
      };
      const relay = createRelayServer(name, send);
      const isGiven = typeof timeout === 'number' && timeout >= SHORTEST_TIMEOUT_MS;
      return [name, isGiven ? { ...relay, config: { ...relay.config, timeout } } : relay];
    }),
  );
}

/** The MCP servers of a session that a client drives. */
export interface ClientServers {
  /** The server of the client with this name. */
  relay(name: string): RelayServer | undefined;
  /**
   * Replace servers, see {@link McpControl.set}. A server of the type `sdk` is one of the client.
   *
   * @throws UsageError for an invalid server
   */
  set(servers: Readonly<Record<string, object>>): Promise<McpSetServersResult>;
  /** Enable or disable a server, see {@link McpControl.toggle}. */
  toggle: McpControl['toggle'];
  /** Connect a server anew, see {@link McpControl.reconnect}. */
  reconnect: McpControl['reconnect'];
}

/** The servers of a client at the start, and the rules for their tools. */
export type FirstServers = {
  readonly relays: ReadonlyMap<string, RelayServer>;
  readonly policies: readonly PermissionUpdate[];
};

export function createClientServers(
  {
    session,
    mcp,
    env,
    channel,
    warn,
  }: {
    readonly session: Pick<SessionHandle, 'updatePermissions'>;
    readonly mcp: McpControl;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly channel: Pick<ClientChannel, 'request'>;
    /** Write a line to stderr. */
    readonly warn: (line: string) => void;
  },
  first: FirstServers,
): ClientServers {
  let { relays } = first;
  const setServers = createSetServers({ session, mcp }, first.policies);
  return {
    relay: (name) => relays.get(name),
    toggle: mcp.toggle,
    reconnect: mcp.reconnect,
    async set(servers) {
      const { own, others } = splitServers(servers);
      const { servers: ofClient, warnings } = await readOthers(others, env);
      for (const line of warnings) warn(line);
      const before = relays;
      const isNew = ([name]: readonly [string, unknown]): boolean => !before.has(name);
      const added = createRelays(Object.fromEntries(Object.entries(own).filter(isNew)), channel);
      const kept = [...before].filter(([name]) => Object.hasOwn(own, name));
      relays = new Map([...kept, ...added]);
      const ofRelays = Object.fromEntries([...relays].map(([name, { config }]) => [name, config]));
      try {
        const policies = toPolicyRules({ ...others, ...own });
        return await setServers({ ...ofClient, ...ofRelays }, policies);
      } catch (error) {
        relays = before;
        throw error;
      }
    },
  };
}

type Servers<Server> = Readonly<Record<string, Server>>;

/** @throws UsageError for a server of the client that is invalid */
function splitServers(servers: Servers<object>): {
  readonly own: Servers<ClientServer>;
  readonly others: Servers<object>;
} {
  const all = Object.entries(servers);
  const isOwn = ([, server]: readonly [string, object]): boolean =>
    'type' in server && server.type === 'sdk';
  const own = all.filter(isOwn).map(([name, server]) => {
    const { data, error } = ClientServer.safeParse(server);
    if (data !== undefined) return [name, data] as const;
    const why = describeRefusal(error, server, quotedField('the server', ['servers', name]));
    throw new UsageError(withFullStop(why));
  });
  return {
    own: Object.fromEntries(own),
    others: Object.fromEntries(all.filter((one) => !isOwn(one))),
  };
}

/** Read the servers that are not inside the client. @throws UsageError for one that cannot be used */
async function readOthers(
  others: Servers<object>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LoadedMcpConfig> {
  const text = JSON.stringify({ mcpServers: others });
  const loaded = await loadMcpConfig(text, { env, name: 'mcp_set_servers' });
  const left = Object.keys(others).find((name) => !Object.hasOwn(loaded.servers, name));
  if (left === undefined) return loaded;
  throw new UsageError(loaded.warnings.find((line) => line.includes(`"${left}"`)) ?? left);
}
