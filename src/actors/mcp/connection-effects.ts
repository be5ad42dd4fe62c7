import { messageOf } from '../../core/errors.js';
import type { AnyActorRef } from 'xstate';
import type { Failure } from '../../core/failure.js';
import type { McpToolDescriptor } from '../../core/agents/mcp-types.js';
import { McpLoginError } from '../../extensions/mcp/mcp-errors.js';
import type { McpClient } from '../../extensions/mcp/client/sdk-client.js';
import type { McpConnectionEvent } from '../../machines/mcp/mcp-connection.js';
import type { Alarm } from '../services/timers.js';
import { createRelister, type Relister } from './relist-tools.js';
import { createLoginWatch } from './login-watch.js';
import { createServerHost, type ServerHost, type ServerHostOptions } from './server-host.js';

/** Limit from the start of a server to its list of tools. */
const CONNECT_TIMEOUT_MS = 30_000;
/** A server that ran this long did not fail because of an earlier problem. */
const SETTLED_AFTER_MS = 10_000;
/** One server, without its machine. */
export interface McpConnection extends Relister {
  /** The client; undefined while the server is not connected. */
  readonly client: McpClient | undefined;
  connect(actor: AnyActorRef): Promise<void>;
  disconnect(actor: AnyActorRef): Promise<void>;
  armRetry(actor: AnyActorRef, delayMs: number): void;
  armSettled(actor: AnyActorRef): void;
  disarm(): void;
}

export type McpConnectionOptions = ServerHostOptions & {
  readonly timers: Alarm;
  /** Called with the tools each time the server is connected, and each time it changes them. */
  readonly onTools: (tools: readonly McpToolDescriptor[]) => void;
  /** Called with notes for the journal. */
  readonly onNote: (text: string) => void;
  readonly roots: () => readonly string[];
};

/** The effects of the connection's machine, by name: the server's process and its client. */
export function createMcpConnection(options: McpConnectionOptions): McpConnection {
  const { server, timers, onNote, onTools } = options;
  const host = createServerHost(options);
  const logins = createLoginWatch(options);
  let client: McpClient | undefined;
  let connecting: Promise<void> | undefined;
  let abort = new AbortController();
  let disarm = (): void => {};
  const { relist, relisted } = createRelister({ client: () => client, onTools, onNote });

  const noteUnkilled = (error: unknown): void =>
    onNote(`its processes could not be killed: ${messageOf(error)}`);
  const lose = (actor: AnyActorRef, lost: McpClient, message: string): void => {
    if (client !== lost) return; // this code closed it
    client = undefined;
    tell(actor, { type: 'connection.lost', failure: { code: 'MCP_SERVER_GONE', message } });
  };

  const open = async (actor: AnyActorRef, signal: AbortSignal): Promise<void> => {
    host.reset();
    try {
      const { connectMcpClient } = await import('../../extensions/mcp/client/sdk-client.js'); // loading takes a while
      const peer = await host.start(signal);
      const opened = await connectMcpClient(peer, {
        server,
        signal,
        timeoutMs: CONNECT_TIMEOUT_MS,
        roots: options.roots,
        onNote,
      });
      opened.onChange(({ type }) => {
        if (type !== 'tools') return;
        onNote('its tools have changed');
        void relist();
      });
      onTools(await opened.listTools(signal));
      client = opened;
      void peer.ended.then((end) => lose(actor, opened, `it ended (${end})${host.lastWords()}`));
      tell(actor, { type: 'connection.opened' });
    } catch (error) {
      const before = host.outcome(); // the end of a process that ended by itself
      await host.close();
      const reason: unknown = signal.aborted ? signal.reason : error;
      tell(actor, { type: 'connection.failed', failure: failureOf(reason, before, host) });
      if (reason instanceof McpLoginError)
        await logins.start(() => tell(actor, { type: 'connection.open' }), signal);
    }
  };

  return {
    get client() {
      return client;
    },
    relist,
    relisted,
    connect(actor) {
      logins.stop();
      const attempt = new AbortController();
      abort = attempt;
      const cancel = timers.after(CONNECT_TIMEOUT_MS, () =>
        attempt.abort(new Error(`it gave no answer within ${CONNECT_TIMEOUT_MS / 1_000} s`)),
      );
      connecting = open(actor, attempt.signal).finally(cancel);
      return connecting;
    },
    async disconnect(actor) {
      logins.stop();
      client = undefined;
      abort.abort(new Error('the connection was closed'));
      await connecting;
      await host.close();
      await host.sweep().catch(noteUnkilled);
      tell(actor, { type: 'connection.closed' });
    },
    armRetry(actor, delayMs) {
      disarm = timers.after(delayMs, () => tell(actor, { type: 'connection.retry' }));
    },
    armSettled(actor) {
      disarm = timers.after(SETTLED_AFTER_MS, () => tell(actor, { type: 'connection.settled' }));
    },
    disarm: () => disarm(),
  };
}

/** @param end how a process ended by itself */
function failureOf(
  reason: unknown,
  end: string | undefined,
  { lastWords }: Pick<ServerHost, 'lastWords'>,
): Failure {
  const why = end === undefined ? messageOf(reason) : `it ended (${end})`;
  const code = reason instanceof McpLoginError ? reason.code : 'MCP_NOT_CONNECTED';
  return { code, message: `${why}${lastWords()}` };
}

function tell(actor: AnyActorRef, event: McpConnectionEvent): void {
  if (actor.getSnapshot().status === 'active') actor.send(event);
}
