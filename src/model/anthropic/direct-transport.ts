import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { decodeBody } from './decode-body.js';
import { createEventFeed } from '../stream/event-feed.js';
import { createEventParser } from '../stream/event-parser.js';
import { ModelNotAStreamError } from '../errors/broken-reply-errors.js';
import type { ModelEvent } from '../model.js';
import { REST_BYTES, REST_MS } from '../stream/read-event-stream.js';

export type DirectTransportOptions = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Time until the head of an answer. */
  readonly timeoutMs: number;
  /** A connection that is silent for this time is closed, before the answer and in it. */
  readonly idleMs?: number;
  /** A connection without a request for this time is closed. */
  readonly keptMs?: number;
};

export type PostOptions = {
  readonly signal: AbortSignal;
  /** Most characters of a stream, decompressed. */
  readonly mostChars: number;
  /** Called for every piece of a stream. */
  readonly onActivity?: (() => void) | undefined;
  /** Makes the error for the reader of a broken stream: a `SentError`, for example. */
  readonly toThrown: (failure: unknown, answer: IncomingMessage) => Promise<unknown>;
};

export type DirectAnswer =
  | { readonly kind: 'stream'; readonly events: AsyncIterable<ModelEvent> }
  | RefusedAnswer
  | { readonly kind: 'redirected' };

export type RefusedAnswer = {
  readonly kind: 'refused';
  readonly answer: IncomingMessage;
  /** The beginning of the body. */
  readonly body: Buffer;
};

/**
 * Post over persistent connections of `node:http` and parse events on arrival, without web streams or generators. If
 * the server has closed the connection meanwhile, the request is sent again on another. Rejects with the error of the
 * connection; an abort ends a stream at once, quietly.
 */
export type DirectTransport = (
  body: readonly Uint8Array[],
  options: PostOptions,
) => Promise<DirectAnswer>;

const MINUTE_MS = 60_000;
/** A body of this length is written at once: copying it costs less than another write. */
const MOST_JOINED_BYTES = 16 * 1024;

export function createDirectTransport({
  url,
  headers,
  timeoutMs,
  idleMs = 5 * MINUTE_MS,
  keptMs = MINUTE_MS,
}: DirectTransportOptions): DirectTransport {
  // Not imported: an import reads all exports, and so loads global fetch.
  const { Agent, request: start } =
    url.protocol === 'https:'
      ? process.getBuiltinModule('node:https')
      : process.getBuiltinModule('node:http');
  const agent = new Agent({ keepAlive: true, timeout: keptMs });
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(url); // Node copies all options per request
  const target = { protocol, hostname, port, path, auth, method: 'POST', agent, timeout: idleMs };
  // As a list, which Node writes as it is; an object is looked through for each request.
  const fixed = Object.entries({
    host: url.host,
    ...headers,
    'accept-encoding': 'identity',
  }).flat();

  const post: DirectTransport = (body, options) =>
    new Promise((resolve, reject) => {
      const { signal } = options;
      if (signal.aborted) return reject(abortError());
      const bytes = body.reduce((sum, part) => sum + part.length, 0);
      const request = start({ ...target, headers: [...fixed, 'content-length', String(bytes)] });
      let answer: IncomingMessage | undefined;
      const end = (error: Error): void => void (answer ?? request).destroy(error);
      const stop = (): void => end(abortError());
      const timer = setTimeout(() => end(timeoutError(timeoutMs)), timeoutMs);
      signal.addEventListener('abort', stop, { once: true });
      request.on('close', () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        if (answer === undefined) reject(new Error('The connection was closed before an answer.'));
      });
      request.on('timeout', () => end(timeoutError(idleMs)));
      request.on('error', (error) => {
        const isStale = request.reusedSocket && answer === undefined && isReset(error);
        if (isStale && !signal.aborted) resolve(post(body, options));
        else reject(error);
      });
      request.on('response', (incoming: IncomingMessage) => {
        clearTimeout(timer);
        answer = incoming;
        incoming.on('error', () => {}); // the reader gets the error
        resolve(takeAnswer(incoming, options));
      });
      if (bytes > MOST_JOINED_BYTES) for (const part of body) request.write(part);
      request.end(bytes > MOST_JOINED_BYTES ? undefined : Buffer.concat(body, bytes));
    });
  return post;
}

async function takeAnswer(answer: IncomingMessage, options: PostOptions): Promise<DirectAnswer> {
  const { statusCode: status = 0 } = answer;
  if (status >= 200 && status < 300) return { kind: 'stream', events: readEvents(answer, options) };
  if (status >= 300 && status < 400 && answer.headers.location !== undefined) {
    answer.destroy();
    return { kind: 'redirected' };
  }
  const body = await readBeginning(decodeBody(answer), answer);
  options.signal.throwIfAborted();
  return { kind: 'refused', answer, body };
}

/** Limits of an error answer: bytes, and time. */
const LONGEST_ERROR_BYTES = 64 * 1024;
const LONGEST_ERROR_MS = 10_000;

/** A broken connection in the body does not matter: the status is enough. */
function readBeginning(body: Readable, answer: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => hangUp(body, answer), LONGEST_ERROR_MS);
    const finish = (): void => {
      clearTimeout(timer);
      resolve(Buffer.concat(parts).subarray(0, LONGEST_ERROR_BYTES));
    };
    body.on('data', (part: Buffer) => {
      parts.push(part);
      if ((bytes += part.length) >= LONGEST_ERROR_BYTES) hangUp(body, answer);
    });
    body.on('error', finish);
    body.on('close', finish);
    body.on('end', finish);
  });
}

const STREAM_TYPE = 'text/event-stream';
/** Most bytes of a body of another type without an event. */
const LOOK_BYTES = 64 * 1024;
/** The server has to wait above this amount of unread text. */
const MOST_UNREAD_CHARS = 256 * 1024;

/** Parse events in the connection's own callbacks; a reader that leaves before `message_stop` closes the connection. */
function readEvents(
  answer: IncomingMessage,
  { signal, mostChars, onActivity, toThrown }: PostOptions,
): AsyncIterable<ModelEvent> {
  const body = decodeBody(answer);
  const type = answer.headers['content-type'] ?? STREAM_TYPE;
  const isStream = type.toLowerCase().startsWith(STREAM_TYPE);
  let isLeft = false;
  let hasEvents = false;
  let chars = 0;
  let unreadChars = 0;

  const feed = createEventFeed({
    toThrown: (error) => toThrown(error, answer),
    onEmpty() {
      unreadChars = 0;
      if (body.isPaused()) body.resume();
    },
    onLeft(newest) {
      isLeft = true;
      if (newest?.type === 'message_stop') readRest(body, answer);
      else hangUp(body, answer);
    },
  });
  const finish = (error?: unknown): void => {
    const isNone = error === undefined && !hasEvents && !isStream;
    const thrown = isNone ? new ModelNotAStreamError(type.slice(0, 100)) : error;
    if (signal.aborted) feed.drop();
    else feed.end(thrown === undefined ? undefined : { error: thrown });
    if (thrown !== undefined && !isLeft) hangUp(body, answer);
  };
  const parser = createEventParser((event) => {
    hasEvents = true;
    feed.push(event);
  }, mostChars);

  body.setEncoding('utf8');
  body.on('data', (piece: string) => {
    if (isLeft || signal.aborted) return;
    onActivity?.();
    chars += piece.length;
    unreadChars += piece.length;
    try {
      parser.push(piece);
    } catch (error) {
      return finish(error);
    }
    if (!hasEvents && !isStream && chars > LOOK_BYTES) finish();
    else if (unreadChars > MOST_UNREAD_CHARS && !feed.isEmpty()) body.pause();
  });
  body.on('error', finish);
  body.on('end', () => finish());
  body.on('close', () => finish());
  return feed.events;
}

/** Close the connection. What has come already is not decompressed. */
function hangUp(body: Readable, answer: IncomingMessage): void {
  body.destroy();
  answer.destroy();
}

/** The reply is complete, so later events and errors are ignored. */
function readRest(body: Readable, answer: IncomingMessage): void {
  if (body.readableEnded || body.destroyed) return;
  let bytes = 0;
  const timer = setTimeout(() => hangUp(body, answer), REST_MS).unref();
  body.on('close', () => clearTimeout(timer));
  body.on('data', (piece: string) => {
    if ((bytes += piece.length) > REST_BYTES) hangUp(body, answer);
  });
  body.resume();
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

function abortError(): DOMException {
  return new DOMException('This operation was aborted', 'AbortError');
}

/** The code of a Node socket. */
const NODE_TIMED_OUT = 'ETIMEDOUT';

function timeoutError(ms: number): Error {
  const message = `The endpoint timed out: it sent nothing for ${ms / 1_000} s.`;
  return Object.assign(new Error(message), { code: NODE_TIMED_OUT });
}
