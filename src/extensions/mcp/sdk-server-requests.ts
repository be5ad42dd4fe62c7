import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ElicitRequestURLParamsSchema,
  ErrorCode,
  ListRootsRequestSchema,
  McpError,
  type ClientCapabilities,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestParams,
  type ElicitResult,
  type SamplingMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ElicitationRequest } from '../../core/agents/elicitation.js';
import type { ImageBlock, Message, TextBlock } from '../../core/messages.js';
import type { ServerRequests } from '../../tools/server-requests.js';
import { IMAGE_TYPES } from './image-types.js';
import type { CallClock } from './call-clock.js';

/** The abilities that Troupe declares to servers. */
export const CAPABILITIES: ClientCapabilities = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: { applyDefaults: true }, url: {} },
};

/** A call that runs on a server. */
export type RunningCall = {
  readonly requests: ServerRequests | undefined;
  readonly clock: CallClock;
  /** Aborts when the call is to end. */
  readonly signal: AbortSignal;
  /** Called if nobody answered a question, with the reason. */
  readonly onUnanswered: (reason: string) => void;
  /** Number of requests of the server. */
  asked: number;
};

/** A call that asks for more than this does not end by itself. */
const MOST_REQUESTS = 50;
const MAX_MESSAGE_CHARS = 10_000;
const MOST_FIELDS = 50;

/**
 * Answer what a server asks for. A request belongs to the call that began last, because the protocol does not say to
 * which call it belongs.
 */
export function answerServer(
  client: Client,
  {
    server,
    running,
    roots,
    onNote,
  }: {
    readonly server: string;
    readonly running: ReadonlySet<RunningCall>;
    readonly roots: () => readonly string[];
    readonly onNote: (text: string) => void;
  },
): void {
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: roots().map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) })),
  }));

  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
    const call = [...running].at(-1);
    const refuse = (why: string): ElicitResult => {
      onNote(`its question was declined: ${why}`);
      call?.onUnanswered(why);
      return { action: 'decline' };
    };
    const problem = problemOfQuestion(params) ?? problemOfCall(call);
    if (call?.requests === undefined || problem !== undefined)
      return refuse(problem ?? 'No call of an agent runs.');
    const { requests } = call;
    const { reason, ...answer } = await whilePaused(call, () =>
      requests.elicit(toQuestion(server, params), AbortSignal.any([signal, call.signal])),
    );
    if (reason !== undefined) return { ...refuse(reason), action: answer.action };
    const { action, content } = answer;
    return content === undefined ? { action } : { action, content: mutable(content) };
  });

  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal }) => {
    const call = [...running].at(-1);
    const problem = problemOfSampling(params, running) ?? problemOfCall(call);
    if (call?.requests === undefined || problem !== undefined)
      throw new McpError(ErrorCode.InvalidRequest, problem ?? 'No call of an agent runs.');
    const { requests } = call;
    const { maxTokens, systemPrompt, modelPreferences } = params;
    const request = {
      serverName: server,
      systemPrompt,
      messages: params.messages.map(toMessage),
      maxTokens,
      modelHints: (modelPreferences?.hints ?? []).flatMap(({ name }) => name ?? []),
    };
    const { model, text, stopReason } = await whilePaused(call, () =>
      requests.sample(request, AbortSignal.any([signal, call.signal])),
    );
    return {
      model,
      role: 'assistant',
      content: { type: 'text', text },
      stopReason: STOP_REASONS[stopReason ?? ''] ?? 'endTurn',
    } satisfies CreateMessageResult;
  });
}

/** Put the pages that a failed call needs to the person. @returns words for the model; undefined for another error */
export async function askForPages(
  server: string,
  error: McpError,
  call: RunningCall,
): Promise<string | undefined> {
  if (error.code !== ErrorCode.UrlElicitationRequired) return undefined;
  const pages = z.object({ elicitations: z.array(ElicitRequestURLParamsSchema).min(1).max(5) });
  const { data } = pages.safeParse(error.data);
  if (data === undefined) return undefined;
  if (call.requests === undefined) return 'it needs a person to open a page';
  for (const page of data.elicitations) {
    const { action, reason } = await call.requests.elicit(toQuestion(server, page), call.signal);
    if (action !== 'accept')
      return `it needs a person to open a page of ${hostOf(page.url)}. ${reason ?? 'The user declined.'}`;
  }
  return 'it needed a page, which the user has agreed to open. Repeat the call when the user is done there';
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  max_tokens: 'maxTokens',
  stop_sequence: 'stopSequence',
};

async function whilePaused<Result>(call: RunningCall, run: () => Promise<Result>): Promise<Result> {
  call.asked += 1;
  const resume = call.clock.pause();
  try {
    return await run();
  } finally {
    resume();
  }
}

function problemOfCall(call: RunningCall | undefined): string | undefined {
  return call !== undefined && call.asked >= MOST_REQUESTS
    ? `The server has asked ${MOST_REQUESTS} times in one call.`
    : undefined;
}

function problemOfQuestion({ message, ...params }: ElicitRequestParams): string | undefined {
  if (message.length > MAX_MESSAGE_CHARS)
    return `The question has more than ${MAX_MESSAGE_CHARS} characters.`;
  const fields =
    'requestedSchema' in params ? Object.keys(params.requestedSchema.properties).length : 0;
  return fields > MOST_FIELDS ? `The form has more than ${MOST_FIELDS} fields.` : undefined;
}

function problemOfSampling(
  { tools, toolChoice, messages, maxTokens }: CreateMessageRequestParams,
  running: ReadonlySet<RunningCall>,
): string | undefined {
  if (tools !== undefined || toolChoice !== undefined)
    return 'Troupe does not offer tools in sampling.';
  if (maxTokens < 1) return 'maxTokens must be at least 1.';
  const isShown = messages.every(({ content }) => listOf(content).every(isShowable));
  if (!isShown) return 'Sampling takes text, and PNG, JPEG, GIF and WebP images.';
  const agents = new Set([...running].map(({ requests }) => requests?.agentId));
  return agents.size > 1
    ? 'Calls of several agents run: it is unknown which one pays. Ask again in a moment.'
    : undefined;
}

type Content = Exclude<SamplingMessage['content'], readonly unknown[]>;

function isShowable(content: Content): boolean {
  return (
    content.type === 'text' || (content.type === 'image' && IMAGE_TYPES.includes(content.mimeType))
  );
}

function toMessage({ role, content }: SamplingMessage): Message {
  const blocks = listOf(content).flatMap(toBlock);
  if (role === 'user') return { role, content: blocks };
  return { role, content: blocks.flatMap((block) => (block.type === 'text' ? [block] : [])) };
}

function toBlock(content: Content): readonly (TextBlock | ImageBlock)[] {
  if (content.type === 'text') return [{ type: 'text', text: content.text }];
  if (content.type !== 'image') return [];
  const { data, mimeType } = content;
  return [{ type: 'image', source: { type: 'base64', media_type: mimeType, data } }];
}

function listOf(content: SamplingMessage['content']): readonly Content[] {
  return Array.isArray(content) ? content : [content];
}

function toQuestion(serverName: string, params: ElicitRequestParams): ElicitationRequest {
  const { message } = params;
  if (params.mode === 'url') {
    const { url, elicitationId } = params;
    return { serverName, message, mode: 'url', url, elicitationId };
  }
  return { serverName, message, mode: 'form', requestedSchema: params.requestedSchema };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid address';
}

function mutable(
  content: NonNullable<ElicitationContent>,
): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      typeof value === 'object' ? [...value] : value,
    ]),
  );
}

type ElicitationContent = Awaited<ReturnType<ServerRequests['elicit']>>['content'];
