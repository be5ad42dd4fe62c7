import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CallToolResultSchema,
  ErrorCode,
  ListToolsResultSchema,
  McpError,
  ResultSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
  type Progress,
  type Task,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { readOwnPackage } from '../../../files/own-package.js';
import { quotedField } from '../../../core/text/describe-issue.js';
import { messageOf } from '../../../core/errors.js';
import { untilAborted } from '../../../core/until-aborted.js';
import type { McpToolDescriptor } from '../../../core/agents/mcp-types.js';
import { LONGEST_TIMER_MS } from '../../../core/time/duration.js';
import type { ServerRequests } from '../../../tools/capabilities/server-requests.js';
import { createCallClock, type McpCallLimits } from './call-clock.js';
import type { RunningCall } from './running-call.js';
import { McpServerGoneError, McpTimeoutError, McpToolError } from '../mcp-errors.js';
import { readAnswer, readPages, type McpCallResult } from './sdk-answers.js';
import { offeringsOf, type McpOfferings } from './sdk-offerings.js';
import type { McpPeer } from '../transport/sdk-peers.js';
import { callAsTask } from './sdk-task-call.js';
import { answerServer, askForPages, CAPABILITIES } from './sdk-server-requests.js';

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

/** A change that a server reports. */
export type McpChange =
  | { readonly type: 'tools' | 'resources' | 'prompts' }
  | { readonly type: 'resource'; readonly uri: string };

/** The client of a server that has answered `initialize`. */
export interface McpClient extends McpOfferings {
  /** Call `listener` with each change that the server reports. @returns a function that stops it */
  onChange(listener: (change: McpChange) => void): () => void;
  /** Read all pages. */
  listTools(signal: AbortSignal): Promise<readonly McpToolDescriptor[]>;
  /** Notify the server that `roots/list` has another answer. Never rejects. */
  notifyOfRoots(): Promise<void>;
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
    /** The folders that the server may know of. */
    readonly roots: () => readonly string[];
    readonly onNote: (text: string) => void;
  },
): Promise<McpClient> {
  const { server, signal, timeoutMs } = options;
  const running = new Set<RunningCall>();
  const asTasks = new Set<string>();
  const client = new Client(
    { name: 'troupe', version: readOwnPackage().version },
    { capabilities: CAPABILITIES },
  );
  answerServer(client, { ...options, running });
  const onChange = listenTo(client);
  const connecting = client.connect(peer.transport, { signal, timeout: timeoutMs });
  // the older transport starts with a request without a timeout
  await untilAborted(connecting, signal).catch((error: unknown) => Promise.reject(inWords(error)));

  const offerings = offeringsOf(client, options);
  onChange(({ type }) => {
    if (type === 'prompts') void offerings.loadPrompts(AbortSignal.timeout(timeoutMs));
  });
  await offerings.loadPrompts(signal);
  return Object.assign(offerings, {
    onChange,
    async listTools(listSignal: AbortSignal) {
      if (client.getServerCapabilities()?.tools === undefined) return [];
      const limits = { signal: listSignal, timeout: timeoutMs };
      const pages = await readPages(client, 'tools/list', ListToolsResultSchema, limits);
      const tools = pages.flatMap((page) => page.tools);
      asTasks.clear();
      for (const { name, execution } of tools)
        if (execution?.taskSupport === 'required') asTasks.add(name);
      return tools;
    },
    notifyOfRoots: () => client.sendRootsListChanged().catch(() => {}), // the server is gone, and the next one asks
    callTool: (call: McpCall) => callTool({ client, peer, server, running, asTasks }, call),
  });
}

/** Hear of the changes of a server. */
function listenTo(client: Client): McpClient['onChange'] {
  const listeners = new Set<(change: McpChange) => void>();
  const tell = (change: McpChange): void => {
    for (const listener of listeners) listener(change);
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => tell({ type: 'tools' }));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () =>
    tell({ type: 'resources' }),
  );
  client.setNotificationHandler(PromptListChangedNotificationSchema, () =>
    tell({ type: 'prompts' }),
  );
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params: { uri } }) =>
    tell({ type: 'resource', uri }),
  );
  return (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
}

type Connected = {
  readonly client: Client;
  readonly peer: McpPeer;
  readonly server: string;
  readonly running: Set<RunningCall>;
  /** Names of the tools that run only as tasks of the protocol. */
  readonly asTasks: ReadonlySet<string>;
};

async function callTool(connected: Connected, call: McpCall): Promise<McpCallResult> {
  const { client, running } = connected;
  const { tool, args, signal, limits, requests, onProgress, onUnanswered = () => {} } = call;
  const clock = createCallClock(limits);
  const own: RunningCall = { requests, clock, signal, onUnanswered, asked: 0 };
  running.add(own);
  try {
    const params = { name: tool, arguments: { ...args } };
    const limited = {
      signal: AbortSignal.any([signal, clock.signal]),
      timeout: LONGEST_TIMER_MS, // the clock has the limits
    };
    const progressed = (progress: Progress): void => {
      clock.touch();
      onProgress?.(progress);
    };
    const asTask = connected.asTasks.has(tool);
    const said = asTask
      ? await callAsTask(client, params, limited, statusTo(progressed))
      : await client.request({ method: 'tools/call', params }, ResultSchema, {
          ...limited,
          ...(onProgress !== undefined && { onprogress: progressed }),
        });
    return readAnswer(CallToolResultSchema, said, tool);
  } catch (error) {
    signal.throwIfAborted();
    throw await toCallError(error, connected, call, own);
  } finally {
    clock.stop();
    running.delete(own);
  }
}

/** Each status of a task is a sign of life. */
function statusTo(progressed: (progress: Progress) => void): (task: Task) => void {
  let count = 0;
  return ({ status, statusMessage }) =>
    progressed({ progress: (count += 1), message: statusMessage ?? status });
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

/** Describe an error in words: the SDK checks the first answer itself, and its error is data. */
function inWords(error: unknown): unknown {
  if (!(error instanceof z.core.$ZodError)) return error;
  const fields = error.issues.map(({ path }) => quotedField('the whole')(path)).join(', ');
  return new TypeError(`its answer to initialize is invalid: ${fields} is wrong or missing`, {
    cause: error,
  });
}
