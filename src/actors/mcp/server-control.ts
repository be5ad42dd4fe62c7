import { isDeepStrictEqual } from 'node:util';
import type { AnyActorRef } from 'xstate';
import type { McpServerStatus } from '../../core/agents/mcp-types.js';
import { UsageError } from '../../core/errors.js';
import { loadManagedServers } from '../../extensions/mcp/servers/load-managed-servers.js';
import { McpConnectError } from '../../extensions/mcp/mcp-errors.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { McpControl } from '../contract/mcp-control.js';
import type { Settings } from '../options/settings.js';
import type { EventBus } from '../services/event-bus.js';
import type { McpPool } from './mcp-servers.js';

/** Changes of servers by a program or a client, beside those of files. */
export interface ServerControl extends McpControl {
  /** Have other servers of options and files. Resolves like `replace` of the pool. */
  follow(servers: McpServers): Promise<void>;
}

type Owners = {
  readonly pool: McpPool;
  readonly root: AnyActorRef;
  readonly env: Settings['env'];
  readonly limits: () => Settings['limitServers'];
  readonly sessions: () => Iterable<Hearer>;
};

/** A session whose agents have the servers. */
type Hearer = {
  readonly bus: EventBus;
  readonly factory: { renewServers(names: readonly string[]): void };
};

/** The servers that calls of `set` have left. */
type Choice = {
  readonly given: McpServers;
  /** Every name that a call has given. */
  readonly taken: ReadonlySet<string>;
  readonly hasSet: boolean;
};

export function createServerControl({ pool, root, env, limits, sessions }: Owners): ServerControl {
  let followed = pool.configured();
  let choice: Choice = { given: {}, taken: new Set(), hasSet: false };

  const statusOf = (name: string): McpServerStatus => {
    const all = pool.list();
    const found = all.find((one) => one.name === name);
    if (found !== undefined) return found;
    const names = all.map((one) => one.name).join(', ');
    throw new UsageError(
      `There is no MCP server "${name}" in this session. ${names === '' ? 'It has none.' : `It has: ${names}.`}`,
    );
  };
  const restart = async (name: string): Promise<void> => {
    const { status, problem } = await pool.restart(name, root);
    if (status !== 'connected')
      throw new McpConnectError(name, problem ?? 'it gave no answer in time');
  };
  const connect = async (names: readonly string[]): Promise<void> => {
    const disabled = names.filter((name) => statusOf(name).status === 'closed');
    await Promise.all(disabled.map((name) => pool.restart(name, root)));
    await pool.open(root);
  };

  return {
    async follow(servers) {
      followed = servers;
      await pool.replace(withChoice(servers, choice), root);
    },
    async set(servers) {
      const { allowed, errors } = allowedOf(servers, env, limits());
      const names = Object.keys(allowed);
      const taken = new Set([...choice.taken, ...names]);
      const next: Choice = { given: allowed, taken, hasSet: true };
      const before = pool.configured();
      await pool.replace(withChoice(followed, next), root);
      choice = next;
      await connect(names);
      const after = pool.configured();
      const added = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
      announceServers(
        sessions(),
        added.filter((name) => Object.hasOwn(before, name)),
      );
      const failed = names.map(statusOf).filter(({ status }) => status !== 'connected');
      return {
        added,
        removed: Object.keys(before).filter((name) => !Object.hasOwn(after, name)),
        errors: {
          ...errors,
          ...Object.fromEntries(
            failed.map(({ name, problem = 'it gave no answer in time' }) => [name, problem]),
          ),
        },
      };
    },
    async toggle(name, isEnabled) {
      const { status } = statusOf(name);
      if (!isEnabled) await pool.disable(name);
      else if (status !== 'connected') await restart(name);
    },
    async reconnect(name) {
      if (statusOf(name).status === 'closed')
        throw new UsageError(`The MCP server "${name}" is disabled. Enable it instead.`);
      await restart(name);
    },
  };
}

/** Tell sessions that they have other servers. @param replaced the names with another configuration */
export function announceServers(sessions: Iterable<Hearer>, replaced: readonly string[]): void {
  for (const { bus, factory } of sessions) {
    if (replaced.length > 0) factory.renewServers(replaced);
    bus.emit('commands.changed'); // prompts of servers are commands
  }
}

/** The servers of options and files that calls have left, and those of the newest call. */
function withChoice(followed: McpServers, { given, taken, hasSet }: Choice): McpServers {
  const left = Object.entries(followed).filter(
    ([name, { type }]) => !taken.has(name) && !(hasSet && type === 'sdk'),
  );
  return { ...Object.fromEntries(left), ...given };
}

/** The administrator of the machine may have named all servers, except those inside the program. */
function allowedOf(
  servers: McpServers,
  env: Settings['env'],
  limit: Settings['limitServers'],
): { readonly allowed: McpServers; readonly errors: Readonly<Record<string, string>> } {
  const managed = loadManagedServers(env);
  if (managed === undefined) {
    const { servers: allowed, leftOut: errors } = limit?.(servers) ?? { servers, leftOut: {} };
    return { allowed, errors };
  }
  const isOwn = ([, { type }]: readonly [string, McpServers[string]]): boolean => type === 'sdk';
  const all = Object.entries(servers);
  const why = `${managed.file} names all servers that may be used`;
  return {
    allowed: Object.fromEntries(all.filter(isOwn)),
    errors: Object.fromEntries(all.filter((one) => !isOwn(one)).map(([name]) => [name, why])),
  };
}
