import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ElicitRequestSchema,
  ElicitRequestURLParamsSchema,
  ErrorCode,
  ListRootsRequestSchema,
  type ClientCapabilities,
  type ElicitRequestParams,
  type ElicitResult,
  type McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ElicitationRequest } from '../../../core/agents/elicitation.js';
import type { ServerRequests } from '../../../tools/capabilities/server-requests.js';
import { problemOfCall, whilePaused, type RunningCall } from './running-call.js';
import { answerSampling } from './sdk-sampling.js';

/** The abilities that Troupe declares to servers. */
export const CAPABILITIES: ClientCapabilities = {
  roots: { listChanged: true },
  sampling: { tools: {} },
  elicitation: { form: { applyDefaults: true }, url: {} },
};

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

  answerSampling(client, { server, running });
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

function problemOfQuestion({ message, ...params }: ElicitRequestParams): string | undefined {
  if (message.length > MAX_MESSAGE_CHARS)
    return `The question has more than ${MAX_MESSAGE_CHARS} characters.`;
  const fields =
    'requestedSchema' in params ? Object.keys(params.requestedSchema.properties).length : 0;
  return fields > MOST_FIELDS ? `The form has more than ${MOST_FIELDS} fields.` : undefined;
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
