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
import { given } from '../../core/json/given.js';
import { McpServerGoneError, McpTimeoutError, McpToolError } from './mcp-errors.js';
import type { McpPeer } from './sdk-peers.js';

/** Pages of one listing; a server that has more goes round in circles. */
const MAX_PAGES = 1_000;

export type McpCallResult = CallToolResult;

export type McpCallLimits = {
  /** Between any two signs of life. */
  readonly timeoutMs: number;
  /** In all, whatever is told of its progress. */
  readonly maxTotalMs: number;
};

export type McpCall = {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The server is told when it aborts. */
  readonly signal: AbortSignal;
  readonly limits: McpCallLimits;
  readonly onProgress?: (progress: Progress) => void;
};

/** A server that has answered. */
export interface McpClient {
  /** All pages, less the tools that only run as protocol tasks. */
  listTools(signal: AbortSignal): Promise<readonly McpToolDescriptor[]>;
  /** @throws McpServerGoneError, McpTimeoutError, McpToolError, or the signal's reason */
  callTool(call: McpCall): Promise<McpCallResult>;
}

/** The only place that knows the SDK. Resolves when the server has answered to `initialize`; rejects where it does not. */
export async function connectMcpClient(
  peer: McpPeer,
  options: {
    readonly server: string;
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
    readonly onToolsChanged: () => void;
  },
): Promise<McpClient> {
  const { server, signal, timeoutMs } = options;
  const client = new Client({ name: 'troupe', version: version() }, { capabilities: {} });
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
          throw new Error(`its list of tools has no end: the page "${cursor}" comes again`);
        if (cursor !== undefined) cursors.add(cursor);
      } while (cursor !== undefined);
      return tools.filter(({ execution }) => execution?.taskSupport !== 'required');
    },
    async callTool({ tool, args, signal: callSignal, limits, onProgress }) {
      const total = new AbortController();
      const timer = setTimeout(() => total.abort(), limits.maxTotalMs);
      try {
        const said = await client.request(
          { method: 'tools/call', params: { name: tool, arguments: { ...args } } },
          ResultSchema,
          {
            signal: AbortSignal.any([callSignal, total.signal]),
            timeout: limits.timeoutMs,
            resetTimeoutOnProgress: true,
            ...given({ onprogress: onProgress }),
          },
        );
        return readAnswer(CallToolResultSchema, said, tool);
      } catch (error) {
        callSignal.throwIfAborted();
        if (total.signal.aborted)
          throw new McpTimeoutError(server, tool, 'maxTotalTimeout', limits.maxTotalMs);
        const isTimeout = error instanceof McpError && error.code === ErrorCode.RequestTimeout;
        if (isTimeout) throw new McpTimeoutError(server, tool, 'timeout', limits.timeoutMs);
        const isAnswer = error instanceof McpError && error.code !== ErrorCode.ConnectionClosed;
        if (!isAnswer && peer.isGone) throw new McpServerGoneError(server, tool, await peer.ended);
        const message = messageOf(error);
        throw new McpToolError(`The MCP server "${server}": ${message}`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** @throws TypeError that says what is wrong with the answer of a server */
function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  said: unknown,
  asked: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(said);
  if (error === undefined) return data;
  const why = describeRefusal(error, said, quotedField('it'));
  throw new TypeError(`its answer to ${asked} cannot be used: ${why}`);
}

/** The SDK checks the first answer itself, and tells what is wrong with it as data. */
function inWords(error: unknown): unknown {
  if (!(error instanceof z.core.$ZodError)) return error;
  const fields = error.issues.map(({ path }) => quotedField('the whole')(path)).join(', ');
  return new TypeError(`its answer to initialize cannot be used: ${fields} is wrong or missing`, {
    cause: error,
  });
}

function version(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version; // our own
}
