import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CallToolResultSchema,
  ErrorCode,
  ListToolsResultSchema,
  McpError,
  ResultSchema,
  ToolListChangedNotificationSchema,
  type CallToolResult,
  type Progress,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { describeRefusal, quotedField } from '../../core/text/describe-issue.js';
import { messageOf } from '../../core/errors.js';
import type { McpToolDescriptor } from '../../core/agents/mcp-types.js';
import { LONGEST_TIMER_MS } from '../../core/time/duration.js';
import type { ServerRequests } from '../../tools/server-requests.js';
import { createCallClock, type McpCallLimits } from './call-clock.js';
import { McpServerGoneError, McpTimeoutError, McpToolError } from './mcp-errors.js';
import type { McpPeer } from './sdk-peers.js';
import {
  answerServer,
  askForPages,
  CAPABILITIES,
  type RunningCall,
} from './sdk-server-requests.js';

/** Most pages of one listing; a server that sends more repeats itself. */
const MAX_PAGES = 1_000;

export type McpCallResult = CallToolResult;

export type McpCall = {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Aborts the call; the server is notified. */
  readonly signal: AbortSignal;
  readonly limits: McpCallLimits;
  readonly onProgress?: (progress: Progress) => void;
  /** Answers what the server asks for during the call; absent if nobody can. */
  readonly requests?: ServerRequests | undefined;
  /** Called if nobody answered a question of the server, with the reason. */
  readonly onUnanswered?: (reason: string) => void;
};

/** The client of a server that has answered `initialize`. */
export interface McpClient {
  /** Read all pages, without the tools that run only as tasks of the protocol. */
  listTools(signal: AbortSignal): Promise<readonly McpToolDescriptor[]>;
  /** @throws McpServerGoneError, McpTimeoutError, McpToolError, or the signal's reason */
  callTool(call: McpCall): Promise<McpCallResult>;
}

/**
 * Connect to a server. No other module knows the SDK. Resolves when the server has answered `initialize`; rejects if it
 * does not.
 */
export async function connectMcpClient(
  peer: McpPeer,
  options: {
    readonly server: string;
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
    readonly onToolsChanged: () => void;
    /** The folders that the server may know of. */
    readonly roots: () => readonly string[];
    readonly onNote: (text: string) => void;
  },
): Promise<McpClient> {
  const { server, signal, timeoutMs } = options;
  const running = new Set<RunningCall>();
  const client = new Client({ name: 'troupe', version: version() }, { capabilities: CAPABILITIES });
  answerServer(client, { ...options, running });
  client.setNotificationHandler(ToolListChangedNotificationSchema, options.onToolsChanged);
  await client
    .connect(peer.transport, { signal, timeout: timeoutMs })
    .catch((error: unknown) => Promise.reject(inWords(error)));

  return {
    async listTools(listSignal) {
      if (client.getServerCapabilities()?.tools === undefined) return [];
      const tools: Tool[] = [];
      const cursors = new Set<string>();
      let cursor: string | undefined;
      do {
        const said = await client.request(
          { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
          ResultSchema,
          { signal: listSignal, timeout: timeoutMs },
        );
        const page = readAnswer(ListToolsResultSchema, said, 'tools/list');
        tools.push(...page.tools);
        cursor = page.nextCursor;
        if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= MAX_PAGES))
          throw new Error(`its list of tools never ends: the page "${cursor}" was sent twice`);
        if (cursor !== undefined) cursors.add(cursor);
      } while (cursor !== undefined);
      return tools.filter(({ execution }) => execution?.taskSupport !== 'required');
    },
    callTool: (call) => callTool({ client, peer, server, running }, call),
  };
}

type Connected = {
  readonly client: Client;
  readonly peer: McpPeer;
  readonly server: string;
  readonly running: Set<RunningCall>;
};

async function callTool(connected: Connected, call: McpCall): Promise<McpCallResult> {
  const { client, running } = connected;
  const { tool, args, signal, limits, requests, onProgress, onUnanswered = () => {} } = call;
  const clock = createCallClock(limits);
  const own: RunningCall = { requests, clock, signal, onUnanswered, asked: 0 };
  running.add(own);
  try {
    const said = await client.request(
      { method: 'tools/call', params: { name: tool, arguments: { ...args } } },
      ResultSchema,
      {
        signal: AbortSignal.any([signal, clock.signal]),
        timeout: LONGEST_TIMER_MS, // the clock has the limits
        ...(onProgress !== undefined && {
          onprogress: (progress: Progress) => {
            clock.touch();
            onProgress(progress);
          },
        }),
      },
    );
    return readAnswer(CallToolResultSchema, said, tool);
  } catch (error) {
    signal.throwIfAborted();
    throw await toCallError(error, connected, call, own);
  } finally {
    clock.stop();
    running.delete(own);
  }
}

async function toCallError(
  error: unknown,
  { peer, server }: Connected,
  { tool, limits }: McpCall,
  call: RunningCall,
): Promise<Error> {
  const { expired } = call.clock;
  if (expired !== undefined) {
    const limitMs = expired === 'timeout' ? limits.timeoutMs : limits.maxTotalMs;
    return new McpTimeoutError(server, tool, expired, limitMs);
  }
  const isAnswer = error instanceof McpError && error.code !== ErrorCode.ConnectionClosed;
  if (!isAnswer && peer.isGone) return new McpServerGoneError(server, tool, await peer.ended);
  const pages = isAnswer ? await askForPages(server, error, call) : undefined;
  return new McpToolError(`The MCP server "${server}": ${pages ?? messageOf(error)}`, {
    cause: error,
  });
}

/** @throws TypeError that says which part of a server's answer is invalid */
function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  said: unknown,
  asked: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(said);
  if (error === undefined) return data;
  const why = describeRefusal(error, said, quotedField('it'));
  throw new TypeError(`its answer to ${asked} is invalid: ${why}`);
}

/** Describe an error in words: the SDK checks the first answer itself, and its error is data. */
function inWords(error: unknown): unknown {
  if (!(error instanceof z.core.$ZodError)) return error;
  const fields = error.issues.map(({ path }) => quotedField('the whole')(path)).join(', ');
  return new TypeError(`its answer to initialize is invalid: ${fields} is wrong or missing`, {
    cause: error,
  });
}

function version(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version; // Troupe's own package file
}
