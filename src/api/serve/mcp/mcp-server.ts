import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  type CallToolResult,
  type RequestId,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { messageOf } from '../../../core/errors.js';
import type { PermissionRequest } from '../../../core/events.js';
import { describeRefusal, quotedField, withFullStop } from '../../../core/text/describe-issue.js';
import { oneLine } from '../../../core/text/printable.js';
import { readOwnPackage } from '../../../files/own-package.js';
import type { ServedAgents, ServedClient } from '../serve-types.js';
import { askClient, canElicit } from './ask-client.js';
import { SERVED_TOOLS, type ServedTool } from './mcp-tools.js';

/** Progress is reported at least this often, so that a client does not take a long call for a dead one. */
const BEAT_MS = 10_000;

/**
 * Who decides on permission requests: `client` with the tool `decide` or a form, `person` with a form only. With `person`
 * the requests of a client that shows no forms are denied.
 */
export type Approver = 'client' | 'person';

export type McpServerOptions = {
  readonly agents: ServedAgents;
  readonly approver: Approver;
  /** Gets problems of the connection. */
  readonly warn: (line: string) => void;
};

/** A connection to one client. Its agents end with it. */
export interface McpConnection {
  /** End the connection, and resolve when the client's agents have ended. */
  close(): Promise<void>;
  /** Resolve when the connection has ended and no agent of the client is left. */
  readonly closed: Promise<void>;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Serve one client over a transport. */
export async function connectMcpClient(
  transport: Transport,
  { agents, approver, warn }: McpServerOptions,
): Promise<McpConnection> {
  const tools = SERVED_TOOLS.filter(({ name }) => approver === 'client' || name !== 'decide');
  const server = new Server(
    { name: 'troupe', title: 'Troupe', version: readOwnPackage().version },
    { capabilities: { tools: {}, logging: {} }, instructions: INSTRUCTIONS },
  );
  /** The calls that follow agents, by the ID of the agent. */
  const following = new Map<string, RequestId>();
  const client: ServedClient = {
    get name() {
      return `MCP client ${oneLine(server.getClientVersion()?.name ?? 'without a name', 60)}`;
    },
    onRequest(request, id, signal) {
      void server
        .sendLoggingMessage({ level: 'notice', logger: 'troupe', data: noteOn(request, id) })
        .catch(() => {}); // the client has gone
      void decide(request, id, signal);
    },
  };
  const decide = async (
    request: PermissionRequest,
    id: string,
    signal: AbortSignal,
  ): Promise<void> => {
    const { requestId } = request;
    if (!canElicit(server)) {
      if (approver === 'person')
        await agents.decide(requestId, NOBODY_TO_ASK, client.name).catch(reportError);
      return;
    }
    const how = { signal, relatedRequestId: following.get(id), by: client.name };
    const answer = await askClient(server, request, how);
    if (answer !== undefined)
      await agents.decide(requestId, answer, client.name).catch(reportError);
  };
  const reportError = (error: unknown): void => warn(withFullStop(messageOf(error)));

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(describeTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const found = requireTool(tools, params.name);
    const progress = createProgress(extra);
    const follows = (id: string): void => void following.set(id, extra.requestId);
    try {
      const input = readInput(found, params.arguments ?? {});
      const { signal } = extra;
      const context = { agents, client, signal, elicits: canElicit(server), follows };
      return toResult(await found.call(input, { ...context, onLine: progress.line }));
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: messageOf(error) }] };
    } finally {
      progress.stop();
      for (const [id, call] of following) if (call === extra.requestId) following.delete(id);
    }
  });
  // clients of the SDK cannot cancel the request 0, so no form gets this ID
  server.oninitialized = () => void server.ping().catch(() => {});
  // eslint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has nothing else
  server.onerror = reportError;
  const detach = agents.attach(client);
  const closed = new Promise<void>((resolve) => {
    // eslint-disable-next-line unicorn/prefer-add-event-listener -- as above
    server.onclose = () => void detach().then(resolve);
  });
  await server.connect(transport);
  return {
    closed,
    async close() {
      await server.close();
      await closed;
    },
  };
}

const INSTRUCTIONS =
  'Troupe runs agents with their own tools. Start one with `spawn`, follow it with `output`, message it with `send`, end it with `kill`. An agent whose `waitsFor` is not empty waits for a decision: see `requests` and `decide`.';

const NOBODY_TO_ASK = {
  behavior: 'deny',
  message:
    'Nobody may decide this: only a person may, and the client of this server shows no forms to a person.',
} as const;

function noteOn({ requestId, kind, toolName }: PermissionRequest, id: string) {
  return { event: 'permission_request', requestId, id, kind, tool: toolName };
}

function describeTool({ name, title, description, input, output, annotations }: ServedTool): Tool {
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: z.toJSONSchema(input, { io: 'input' }) as Tool['inputSchema'], // all are objects
    outputSchema: z.toJSONSchema(output) as Tool['outputSchema'],
  };
}

/** @throws an error of the protocol, as the specification wants for an unknown tool */
function requireTool(tools: readonly ServedTool[], name: string): ServedTool {
  const found = tools.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = tools.map((one) => one.name).join(', ');
  throw Object.assign(new Error(`There is no tool "${name}". The tools: ${names}.`), {
    code: ErrorCode.InvalidParams,
  });
}

/** @throws Error with the field that is wrong */
function readInput({ name, input }: ServedTool, given: unknown): unknown {
  const { data, error } = input.safeParse(given);
  if (error === undefined) return data;
  const why = describeRefusal(error, given, quotedField('the input'));
  throw new Error(`${name}: ${withFullStop(why)}`);
}

function toResult(structured: object): CallToolResult {
  const json = JSON.stringify(structured);
  return {
    content: [{ type: 'text', text: json }],
    structuredContent: JSON.parse(json) as Record<string, unknown>, // an object
  };
}

/** Reports progress if the client wants it: each line, and the time if nothing happens. */
function createProgress({ _meta: meta, sendNotification }: Extra): {
  line(text: string): void;
  stop(): void;
} {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return { line: () => {}, stop: () => {} };
  let progress = 0;
  const began = performance.now();
  const line = (message: string): void => {
    progress += 1;
    const params = { progressToken, progress, message };
    sendNotification({ method: 'notifications/progress', params }).catch(() => {}); // the client has gone
  };
  const seconds = (): number => Math.round((performance.now() - began) / 1_000);
  const timer = setInterval(() => line(`at work for ${seconds()} s`), BEAT_MS);
  return { line, stop: () => clearInterval(timer) };
}
