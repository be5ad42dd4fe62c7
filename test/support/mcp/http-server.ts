import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as McpServer } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { ToolServer } from './tool-server.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface HttpServer {
  readonly url: string;
  /** Lines `METHOD path`, in the order of the requests. */
  readonly requests: string[];
  /** Answer the requests below this path, and return its address. */
  serve(path: string, handler: Handler): string;
  /** Cut all connections. */
  drop(): void;
  close(): Promise<void>;
}

/** A local HTTP server with a handler for each path. */
export async function createHttpServer(): Promise<HttpServer> {
  const handlers = new Map<string, Handler>();
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    requests.push(`${request.method} ${pathname}`);
    const handler = handlers.get(pathname);
    if (handler === undefined) response.writeHead(404).end('nothing here');
    else void handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    serve(path, handler) {
      handlers.set(path, handler);
      return `${url}${path}`;
    },
    drop: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Serve tools over streamable HTTP, as the SDK does. @param path the path of the endpoint */
export function serveTools(http: HttpServer, path: string, tools: ToolServer): string {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return http.serve(path, async (request, response) => {
    const id = request.headers['mcp-session-id'];
    let transport = typeof id === 'string' ? sessions.get(id) : undefined;
    if (transport === undefined && id !== undefined)
      return void response.writeHead(404).end('no such session');
    if (transport === undefined) {
      const made = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void sessions.set(session, made),
        onsessionclosed: (session) => void sessions.delete(session),
      });
      transport = made;
      await connect(tools, made);
    }
    await transport.handleRequest(request, response);
  });
}

/** The same over the older transport. */
export function serveToolsOverSse(http: HttpServer, path: string, tools: ToolServer): string {
  const sessions = new Map<string, SSEServerTransport>();
  http.serve(`${path}/post`, async (request, response) => {
    const id = new URL(request.url ?? '', http.url).searchParams.get('sessionId') ?? '';
    await sessions.get(id)?.handlePostMessage(request, response);
  });
  return http.serve(path, async (_request, response) => {
    const transport = new SSEServerTransport(`${path}/post`, response);
    sessions.set(transport.sessionId, transport);
    await connect(tools, transport);
  });
}

async function connect(
  tools: ToolServer,
  transport: StreamableHTTPServerTransport | SSEServerTransport,
): Promise<void> {
  const server = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(tools.tools).map((name) => ({
      name,
      inputSchema: { type: 'object' as const },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.tools[params.name];
    if (tool === undefined) throw new Error(`There is no tool ${params.name}.`);
    const text = await tool({
      args: params.arguments ?? {},
      headers: extra.requestInfo?.headers ?? {},
      signal: extra.signal,
      changed: () => extra.sendNotification({ method: 'notifications/tools/list_changed' }),
    });
    return { content: [{ type: 'text', text }] } satisfies CallToolResult;
  });
  await server.connect(transport as Parameters<typeof server.connect>[0]); // the same class, with exact optional properties
}
