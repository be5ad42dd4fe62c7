import type { AnyActorRef } from 'xstate';
import type { McpServerStatus } from '../../core/agents/mcp-types.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { ConnectionActors } from './connection-actors.js';
import type { ServerSet } from './server-set.js';

/** Changes of the servers of a pool. One happens at a time. */
export interface PoolChanges {
  /**
   * Have other servers from now on: those that differ end or start, and the others stay. Resolves like `open`.
   *
   * @throws UsageError for an invalid name; then nothing has changed
   */
  replace(servers: McpServers, root: AnyActorRef): Promise<void>;
  /** The servers as they are configured, also the disabled ones. */
  configured(): McpServers;
  /** End a server until it is enabled. Resolves when it has ended. */
  disable(server: string): Promise<void>;
  /** Connect a server anew, also a disabled one. Resolves with its status when it has connected or failed. */
  restart(server: string, root: AnyActorRef): Promise<McpServerStatus>;
}

export function createPoolChanges(
  {
    set,
    actors,
    connections,
  }: {
    readonly set: ServerSet;
    readonly actors: ConnectionActors;
    readonly connections: ReadonlyMap<string, unknown>;
  },
  {
    add,
    forget,
    open,
    answered,
    tellChange,
  }: {
    readonly add: (server: readonly [name: string, config: McpServers[string]]) => void;
    readonly forget: (name: string) => Promise<void>;
    readonly open: (root: AnyActorRef, isForFirstRequest: boolean) => Promise<void>;
    /** Resolves when each server has connected or failed, or after a while. */
    readonly answered: (names: readonly string[]) => Promise<void>;
    readonly tellChange: () => void;
  },
): Omit<PoolChanges, 'configured'> {
  const inTurn = createTurns();
  return {
    replace: (next, root) =>
      inTurn(async () => {
        await Promise.all(set.replace(next).map(forget));
        for (const entry of Object.entries(next)) if (!connections.has(entry[0])) add(entry);
        await open(root, true);
        tellChange();
      }),
    disable: (name) =>
      inTurn(async () => {
        set.disable(name);
        await actors.close(name);
        tellChange();
      }),
    restart: (name, root) =>
      inTurn(async () => {
        set.enable(name);
        await actors.close(name);
        actors.forget(name);
        actors.open(name, root);
        await answered([name]);
        return actors.statusOf(name);
      }),
  };
}

/** @returns a function that runs one change after the other, whether the one before succeeded or not */
function createTurns(): <Result>(change: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (change) => {
    const mine = last.then(change, change);
    last = mine;
    return mine;
  };
}
