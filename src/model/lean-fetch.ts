import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { decodeBody } from './decode-body.js';

export type LeanFetchOptions = {
  /** Where proxy variables are looked for, beside the environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A connection that is silent for so long is given up, before the answer and in it. */
  readonly idleMs?: number;
};

type Fetch = typeof globalThis.fetch;
type Post = { readonly url: URL; readonly init: RequestInit & { readonly body: string } };

const FIVE_MINUTES_MS = 300_000;
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** To notice that somebody has put another one in its place. */
const builtInFetch = globalThis.fetch;

/**
 * A `fetch` for posts of text over kept connections of `node:http`: half of what global fetch costs, for streamed answers
 * are read without web streams in between. Whatever is out of the ordinary goes through global fetch: a proxy, a redirect,
 * a request of another kind, a program that has replaced `fetch` or its dispatcher. A kept connection that the server has
 * closed meanwhile is noticed, and the request sent again on another.
 */
export function createLeanFetch({ env, idleMs = FIVE_MINUTES_MS }: LeanFetchOptions): Fetch {
  const http = new HttpAgent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true });
  const hasProxy = PROXY_VARIABLES.flatMap((name) => [name, name.toLowerCase()]).some(
    (name) => env[name] || process.env[name],
  );

  const send = ({ url, init }: Post): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const signal = init.signal ?? undefined;
      if (signal?.aborted === true) return reject(abortError());
      const [start, agent] =
        url.protocol === 'https:' ? [requestHttps, https] : [requestHttp, http];
      const headers = { ...toRecord(init.headers), 'accept-encoding': 'identity' };
      const request = start(url, { method: 'POST', headers, agent, timeout: idleMs });
      let incoming: IncomingMessage | undefined;
      const stop = (): void => void (incoming ?? request).destroy(abortError());
      signal?.addEventListener('abort', stop, { once: true });
      request.on('close', () => signal?.removeEventListener('abort', stop));
      request.on('timeout', () => (incoming ?? request).destroy(idleError(idleMs)));
      request.on('error', (error) => {
        const isStale = request.reusedSocket && incoming === undefined && isReset(error);
        if (isStale && signal?.aborted !== true) resolve(send({ url, init }));
        else reject(error);
      });
      request.on('response', (answer: IncomingMessage) => {
        incoming = answer;
        answer.on('error', () => {}); // whoever reads it gets it, sooner or later
        resolve(answer);
      });
      request.end(init.body);
    });

  return async (input, init) => {
    const post = hasProxy || isReplaced() ? undefined : toPost(input, init);
    if (post === undefined) return globalThis.fetch(input, init);
    const incoming = await send(post);
    const { statusCode: status = 0 } = incoming;
    if (status >= 300 && status < 400 && incoming.headers.location !== undefined) {
      incoming.destroy();
      return globalThis.fetch(input, init);
    }
    return toResponse(incoming, post.url);
  };
}

function isReplaced(): boolean {
  if (globalThis.fetch !== builtInFetch) return true;
  const dispatcher = (globalThis as { readonly [DISPATCHER]?: object })[DISPATCHER]; // where undici keeps it
  return dispatcher !== undefined && dispatcher.constructor.name !== 'Agent';
}

function toPost(input: Parameters<Fetch>[0], init: RequestInit | undefined): Post | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined;
  if (typeof input !== 'string' && !(input instanceof URL)) return undefined;
  const url = new URL(input);
  const isOrdinary = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isOrdinary ? { url, init: { ...init, body: init.body } } : undefined;
}

function toRecord(headers: RequestInit['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(headers instanceof Headers ? headers : new Headers(headers));
}

/** What streams is handed on as it is; any other answer is small, and a real one. */
function toResponse(incoming: IncomingMessage, url: URL): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string); // pairs
  const body = decodeBody(incoming, headers);
  if (status === 200 && /^text\/event-stream\b/i.test(headers.get('content-type') ?? ''))
    // The part of a Response that the SDK reads a stream with; it iterates over any body.
    return { ok: true, status, statusText, headers, url: url.href, body } as unknown as Response;
  const hasBody = status !== 204 && status !== 304;
  if (!hasBody) body.resume();
  // Both are the web's; the types of Node and of the DOM name them apart.
  const web = hasBody ? (Readable.toWeb(body) as unknown as ReadableStream) : null;
  return new Response(web, { status, statusText, headers });
}

/** As a socket of Node would name it. */
const NODE_TIMED_OUT = 'ETIMEDOUT';

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

function abortError(): DOMException {
  return new DOMException('This operation was aborted', 'AbortError');
}

function idleError(idleMs: number): Error {
  const message = `The endpoint timed out: it sent nothing for ${idleMs / 1_000} s.`;
  return Object.assign(new Error(message), { code: NODE_TIMED_OUT });
}
