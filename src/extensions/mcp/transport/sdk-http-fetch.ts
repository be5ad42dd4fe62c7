import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../../../core/json/is-record.js';
import { tryParseJson } from '../../../core/json/try-parse-json.js';
import { readBody } from '../../../core/text/read-body.js';
import { describeUnusedProxy } from '../../../model/anthropic/unused-proxy.js';
import {
  authorizeFetch,
  challengeOf,
  type McpAuthorization,
} from '../login/sdk-authorized-fetch.js';
import { describeFetchError, replaceBody } from '../sdk-http-body.js';
import { BROKEN_OFF, checkEvents, MAX_ANSWER_CHARS } from './sdk-http-events.js';
import { readServerMessage } from './sdk-message.js';
import type { Environment } from '../../../files/folders.js';

/** Timeout of a request that has no answer in the protocol: a notification, or the end of a session. */
const UNANSWERED_MS = 10_000;
/** Most characters of a refusal's text in an error. */
const TOLD_CHARS = 500;

export type ServerFetchOptions = {
  readonly env: Environment;
  /** Whether the response to a request has its answer: false for the older transport. */
  readonly answersInPlace: boolean;
  /** Consecutive failures to open the stream of events that end the connection. */
  readonly maxFailedStreams: number;
  /** Called if the server cannot be reached any more. */
  readonly onLost: (how: string) => void;
  /** The origin of the server, and its tokens; undefined if its headers have one. */
  readonly access: { readonly origin: string; readonly tokens: McpAuthorization } | undefined;
};

export type ServerFetch = {
  readonly fetch: FetchLike;
  /** End the request of a call that was cancelled. */
  cancel(id: RequestId): void;
};

/** The `fetch` of one server: global fetch, with limits and checks of what the server sends. */
export function createServerFetch(options: ServerFetchOptions): ServerFetch {
  const { answersInPlace, onLost } = options;
  const underWay = new Map<RequestId, AbortController>();
  const resumable = new Map<string, RequestId>();
  const send = createSender(options);

  /** The call that a request is for. */
  const idOf = (init: RequestInit): RequestId | undefined => {
    if (!answersInPlace) return undefined;
    const lastEventId = new Headers(init.headers).get('last-event-id');
    return lastEventId === null ? idOfRequest(init.body) : resumable.get(lastEventId);
  };

  const read = async (
    response: Response,
    id: RequestId | undefined,
    cancelled: AbortSignal,
  ): Promise<Response> => {
    const type = mediaTypeOf(response);
    if (type === 'application/json' && id !== undefined) {
      const text = checkAnswer(await readAnswerText(response));
      underWay.delete(id);
      return replaceBody(response, text);
    }
    if (type !== 'text/event-stream' || response.body === null) return response;
    const onEnd = (lastEventId: string | undefined): void => {
      if (!answersInPlace) onLost('its stream of events ended');
      if (id === undefined) return;
      if (lastEventId === undefined) underWay.delete(id);
      else resumable.set(lastEventId, id);
    };
    const events = checkEvents(response.body, { id, cancelled, onEnd, onTooLong: onLost });
    return replaceBody(response, toByteStream(events));
  };

  return {
    cancel: (id) => underWay.get(id)?.abort(),
    async fetch(url, init = {}) {
      const id = idOf(init);
      const own = (id === undefined ? undefined : underWay.get(id)) ?? new AbortController();
      if (id !== undefined) underWay.set(id, own);
      const isUnanswered = id === undefined && methodOf(init) !== 'GET';
      const signals = [init.signal, isUnanswered ? AbortSignal.timeout(UNANSWERED_MS) : own.signal];
      const signal = AbortSignal.any(signals.filter((one) => one !== undefined && one !== null));
      try {
        const response = await send(url, { ...init, signal });
        return isUnanswered ? response : await read(response, id, own.signal);
      } catch (error) {
        if (id !== undefined && methodOf(init) === 'POST') underWay.delete(id);
        throw error;
      }
    },
  };
}

/** Send a request; a refusal and a server that cannot be reached become errors in words. */
function createSender({
  env,
  answersInPlace,
  maxFailedStreams,
  onLost,
  access,
}: ServerFetchOptions): (url: string | URL, init: RequestInit) => Promise<Response> {
  let failedStreams = 0;
  const countStream = (isOpen: boolean): void => {
    failedStreams = isOpen ? 0 : failedStreams + 1;
    if (failedStreams >= maxFailedStreams) onLost('its stream of events cannot be opened again');
  };
  const isStream = (init: RequestInit): boolean => answersInPlace && methodOf(init) === 'GET';
  const reach: FetchLike = async (url, init = {}) => {
    try {
      return await fetch(url, init);
    } catch (error) {
      init.signal?.throwIfAborted();
      const how = `it cannot be reached: ${describeFetchError(error)}`;
      if (isStream(init)) countStream(false);
      else onLost(how);
      const advice = describeUnusedProxy(env, new URL(url));
      throw new Error(advice === undefined ? how : `${how}. ${advice}`, { cause: error });
    }
  };
  const send = access === undefined ? reach : authorizeFetch(reach, access.origin, access.tokens);
  return async (url, init) => {
    const response = await send(url, init);
    const { status, ok } = response;
    if (isStream(init)) countStream(ok || status === NO_STREAM);
    const isRedirect = status >= 300 && status < 400;
    if (ok || isStream(init) || isRedirect || methodOf(init) === 'DELETE') return response;
    const hasSession = new Headers(init.headers).has('mcp-session-id');
    if (status === 404 && hasSession) onLost('its session is over');
    const said = await readRefusal(response);
    if (access === undefined || ![401, 403].includes(status)) throw new Error(said);
    throw await access.tokens.refuse(status, said, challengeOf(response));
  };
}

async function readRefusal(response: Response): Promise<string> {
  const text = await readBody(response, MAX_ANSWER_CHARS).catch(() => '');
  const told = text.length > TOLD_CHARS ? `${text.slice(0, TOLD_CHARS)}…` : text.trim();
  return `it answered with HTTP ${response.status}${told === '' ? '' : `: ${told}`}`;
}

async function readAnswerText(response: Response): Promise<string> {
  try {
    return await readBody(response, MAX_ANSWER_CHARS);
  } catch (error) {
    // fetch throws a TypeError for a body that ends too early or cannot be decompressed
    throw error instanceof TypeError ? new Error(BROKEN_OFF, { cause: error }) : error;
  }
}

/** Check an answer that is JSON, or several in a list. */
function checkAnswer(text: string): string {
  const value = tryParseJson(text);
  if (value === undefined) throw new Error(`its answer is not JSON: ${text.slice(0, TOLD_CHARS)}`);
  if (!Array.isArray(value)) return JSON.stringify(readServerMessage(text));
  return JSON.stringify(value.map((one) => readServerMessage(JSON.stringify(one))));
}

function idOfRequest(body: unknown): RequestId | undefined {
  const message = typeof body === 'string' ? tryParseJson(body) : undefined;
  const id = isRecord(message) && 'method' in message ? message['id'] : undefined;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}

function toByteStream(texts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = texts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function mediaTypeOf({ headers }: Response): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function methodOf({ method = 'GET' }: RequestInit): string {
  return method;
}

/** A server that has no stream of its own messages answers so. */
const NO_STREAM = 405;
