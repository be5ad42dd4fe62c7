import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  A2A_VERSION_HEADER,
  AGENT_CARD_PATH,
  AgentCard,
  formatSSEErrorEvent,
  formatSSEEvent,
  SSE_HEADERS,
} from '@a2a-js/sdk';
import {
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  validateVersion,
} from '@a2a-js/sdk/server';
import { tryParseJson } from '../../../core/json/try-parse-json.js';
import { readBody } from '../../../actors/services/read-body.js';
import { refuse } from '../http-front.js';
import type { ServedAgents, ServedClient } from '../serve-types.js';
import { A2A_PATH, createAgentCard, type AgentType } from './agent-card.js';
import { createA2aExecutor } from './a2a-executor.js';

const MOST_BODY_BYTES = 4 * 1024 * 1024;
const CARD_PATH = `/${AGENT_CARD_PATH}`;
/** All clients have the same token, so they are one user. */
const USER = { isAuthenticated: true, userName: 'client' };

/** The protocol A2A over HTTP: the agent card for everybody, JSON-RPC for clients with the token. */
export interface A2aHttp {
  readonly path: string;
  isPublic(path: string): boolean;
  /** Answer a request, which the caller has checked. Reject if the stream of an answer breaks off, also if its client has gone. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** End all agents. */
  close(): Promise<void>;
}

export function serveA2a(
  agents: ServedAgents,
  { url, types }: { readonly url: string; readonly types: readonly AgentType[] },
): A2aHttp {
  const client: ServedClient = { name: 'A2A client' };
  const detach = agents.attach(client);
  const card = createAgentCard(url, types);
  const store = new InMemoryTaskStore();
  const handler = new DefaultRequestHandler(card, store, createA2aExecutor(agents, client, store));
  const rpc = new JsonRpcTransportHandler(handler);

  const call = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, MOST_BODY_BYTES);
    if (body === undefined)
      return refuse(response, 413, `a body has at most ${MOST_BODY_BYTES} bytes`);
    const json = tryParseJson(body.toString('utf8'));
    if (typeof json !== 'object' || json === null)
      return refuse(response, 400, 'the body is not JSON');
    const called = json as Record<string, unknown>; // the handler checks it
    const toError = (error: unknown) => ({
      jsonrpc: '2.0',
      id: called['id'] ?? null,
      error: JsonRpcTransportHandler.mapToJSONRPCError(error),
    });
    try {
      const version = request.headers[A2A_VERSION_HEADER.toLowerCase()];
      const requestedVersion = typeof version === 'string' ? { requestedVersion: version } : {};
      const context = new ServerCallContext({ user: USER, ...requestedVersion });
      validateVersion(context.requestedVersion, card, 'JSONRPC');
      const answer = await rpc.handle(called, context);
      if (!(Symbol.asyncIterator in answer)) return sendJson(response, answer);
      const first = await answer.next();
      response.writeHead(200, SSE_HEADERS);
      await pipeline(Readable.from(toEvents(first, answer, toError)), response);
    } catch (error) {
      if (response.headersSent) throw error;
      sendJson(response, toError(error));
    }
  };

  return {
    path: A2A_PATH,
    isPublic: (path) => path === CARD_PATH,
    async answer(request, response) {
      const [path] = (request.url ?? '').split('?', 1);
      if (path === CARD_PATH && request.method === 'GET') {
        const seen = createAgentCard(`http://${request.headers.host ?? ''}`, types); // the name that the client knows
        return sendJson(response, AgentCard.toJSON(seen));
      }
      if (path !== A2A_PATH) return refuse(response, 404, `the endpoint is ${A2A_PATH}`);
      if (request.method !== 'POST') return refuse(response, 405, 'use POST');
      await call(request, response);
      if (!response.closed) await once(response, 'close');
    },
    close: detach,
  };
}

async function* toEvents(
  first: IteratorResult<unknown>,
  rest: AsyncGenerator<unknown>,
  toError: (error: unknown) => object,
): AsyncGenerator<string> {
  try {
    if (first.done !== true) yield formatSSEEvent(first.value);
    for await (const event of rest) yield formatSSEEvent(event);
  } catch (error) {
    yield formatSSEErrorEvent(toError(error));
  } finally {
    await rest.return(undefined);
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
