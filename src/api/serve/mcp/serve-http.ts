import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { refuse } from '../http-front.js';
import { createEventStore } from './event-store.js';
import { connectMcpClient, type McpConnection, type McpServerOptions } from './mcp-server.js';

/** Path of the only endpoint. */
export const MCP_PATH = '/mcp';
const MOST_SESSIONS = 64;
const MOST_BODY_BYTES = 4 * 1024 * 1024;
/** A client that has no request open for this long has gone: a client that listens has one. */
const IDLE_MS = 5 * 60_000;

/** The clients of streamable HTTP. Each has a session, which ends with DELETE or when the client has gone. */
export interface McpHttp {
  /** Answer a request, which the caller has checked. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** End all sessions, and resolve when no agent of theirs is left. */
  close(): Promise<void>;
}

type Session = {
  readonly transport: StreamableHTTPServerTransport;
  readonly connection: McpConnection;
  open: number;
  timer: NodeJS.Timeout | undefined;
};

/** @param idleMs time after which a client without a request has gone */
export function serveMcpHttp(
  options: McpServerOptions,
  { idleMs = IDLE_MS }: { readonly idleMs?: number } = {},
): McpHttp {
  const sessions = new Map<string, Session>();

  /** Count the open requests of a session: without one it ends after a while. */
  const hold = (session: Session, response: ServerResponse): void => {
    session.open += 1;
    clearTimeout(session.timer);
    const release = (): void => {
      session.open -= 1;
      if (session.open === 0)
        session.timer = setTimeout(() => void session.connection.close(), idleMs).unref();
    };
    if (response.closed) release();
    else response.once('close', release);
  };

  const forgetAtEnd = async ({ connection, transport }: Session): Promise<void> => {
    await connection.closed;
    const session = sessions.get(transport.sessionId ?? '');
    clearTimeout(session?.timer);
    sessions.delete(transport.sessionId ?? '');
  };

  const begin = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (sessions.size >= MOST_SESSIONS)
      return refuse(response, 503, `the server has ${MOST_SESSIONS} clients, which is the most`);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      maxRequestBodySize: MOST_BODY_BYTES,
      onsessioninitialized: (id) => void sessions.set(id, session),
    });
    // the class of the SDK has optional properties that its own interface does not allow to be undefined
    const connection = await connectMcpClient(transport as Transport, options);
    const session: Session = { transport, connection, open: 0, timer: undefined };
    void forgetAtEnd(session);
    await transport.handleRequest(request, response);
    if (transport.sessionId === undefined)
      await connection.close(); // it was no initialize request
    else hold(session, response);
  };

  return {
    async answer(request, response) {
      const [path] = (request.url ?? '').split('?', 1);
      if (path !== MCP_PATH) return refuse(response, 404, `the endpoint is ${MCP_PATH}`);
      const id = request.headers['mcp-session-id'];
      if (id === undefined) return begin(request, response);
      const session = sessions.get(String(id));
      if (session === undefined) return refuse(response, 404, 'there is no such session');
      hold(session, response);
      await session.transport.handleRequest(request, response);
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ connection }) => connection.close()));
    },
  };
}
