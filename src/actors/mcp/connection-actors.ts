import { waitFor, type AnyActorRef } from 'xstate';
import type { McpConnectionStatus, McpServerStatus } from '../../core/agents/mcp-types.js';
import type { McpConnectionContext } from '../../machines/mcp/mcp-connection.js';

/** The actors of the connections and their snapshots, by the names of the servers. */
export interface ConnectionActors {
  /** Start the connection of a server, also after a failure. */
  open(name: string, root: AnyActorRef): void;
  /** End a server. Resolves when it has ended; at once if it was never opened. */
  close(name: string): Promise<void>;
  /** Forget a server that has ended: `open` makes a new connection. */
  forget(name: string): void;
  statusOf(name: string): McpServerStatus;
  /** Resolve with the first status outside `passing`; reject when the signal aborts. Call `open` first. */
  leaves(
    name: string,
    passing: readonly McpConnectionStatus[],
    signal: AbortSignal,
  ): Promise<McpServerStatus>;
}

/**
 * @param idOf the ID of a server's connection
 * @param onStatus called with each change of a status
 */
export function createConnectionActors(
  idOf: (name: string) => string,
  onStatus: (status: McpServerStatus) => void,
): ConnectionActors {
  const actors = new Map<string, AnyActorRef>();
  const statusOf = (name: string): McpServerStatus => toStatus(name, actors.get(name));

  const watch = (name: string, actor: AnyActorRef): void => {
    actors.set(name, actor);
    let told = '';
    const tellStatus = (): void => {
      const status = statusOf(name);
      if (status.status === told) return;
      told = status.status;
      onStatus(status);
    };
    actor.subscribe({ next: tellStatus, complete: tellStatus });
    tellStatus();
  };

  return {
    statusOf,
    forget: (name) => void actors.delete(name),
    close(name) {
      const actor = actors.get(name);
      if (actor === undefined || actor.getSnapshot().status !== 'active') return Promise.resolve();
      actor.send({ type: 'connection.close' });
      return new Promise((resolve) =>
        actor.subscribe({ complete: resolve, error: () => resolve() }),
      );
    },
    open(name, root) {
      const actor = actors.get(name);
      if (actor !== undefined) {
        if (statusOf(name).status === 'failed') actor.send({ type: 'connection.open' });
        return;
      }
      root.send({ type: 'mcp.open', server: idOf(name) });
      const opened: AnyActorRef | undefined = root.system.get(`mcp:${idOf(name)}`);
      if (opened !== undefined) watch(name, opened); // the machine has just spawned it
    },
    async leaves(name, passing, signal) {
      const actor = actors.get(name) as AnyActorRef; // open comes first
      await waitFor(actor, () => !passing.includes(statusOf(name).status), { signal });
      return statusOf(name);
    },
  };
}

/** The ID of a connection among those of all agents. @param scope undefined for a server of all sessions */
export function connectionId(server: string, scope: string | undefined): string {
  return scope === undefined ? server : `${server}@${scope}`;
}

function toStatus(name: string, actor: AnyActorRef | undefined): McpServerStatus {
  if (actor === undefined) return { name, status: 'connecting' };
  const { value, context } = actor.getSnapshot() as {
    value: unknown;
    context: McpConnectionContext;
  }; // a value of the connection machine
  const status = (
    typeof value === 'string' ? value : Object.keys(value as object)[0]
  ) as McpConnectionStatus; // one of its top-level states
  const { failure } = context;
  if (failure === undefined) return { name, status };
  const needsLogin = status === 'failed' && failure.code === 'MCP_LOGIN_NEEDED';
  return { name, status, problem: failure.message, ...(needsLogin && { needsLogin }) };
}
