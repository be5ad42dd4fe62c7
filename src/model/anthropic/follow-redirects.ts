import { TroupeError } from '../../core/errors.js';

type Fetch = typeof globalThis.fetch;
type Init = Parameters<Fetch>[1] & object;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The HTTP statuses that keep method and body. */
const REPEATS = new Set([307, 308]);
const MOST_REDIRECTS = 20;

/**
 * A fetch that follows redirects itself, and only within an origin or from http to https of the same host: global fetch
 * would take the conversation, and keys in headers of other names, along to any origin.
 */
export function followRedirects(fetch: Fetch): Fetch {
  return async (input, init = {}) => {
    let from = new URL(input instanceof Request ? input.url : input);
    let next: Init = { ...init, redirect: 'manual' };
    let response = await fetch(input, next);
    for (let count = 1; ; count += 1) {
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || location === null) return response;
      response.body?.cancel().catch(() => undefined);
      if (count > MOST_REDIRECTS)
        throw new Error(`The endpoint redirected ${MOST_REDIRECTS} times.`);
      const to = toAddress(location, from);
      if (!isSameEndpoint(from, to)) throw new ModelRedirectedError(from.origin, to.origin);
      next = redirected(next, response.status);
      from = to;
      response = await fetch(to.href, next);
    }
  };
}

function toAddress(location: string, from: URL): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to === undefined || !/^https?:$/.test(to.protocol))
    throw new Error('The endpoint redirects to something that is no http or https address.');
  return to;
}

function isSameEndpoint(from: URL, to: URL): boolean {
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  return from.origin === to.origin || (isUpgrade && from.hostname === to.hostname);
}

function redirected(request: Init, status: number): Init {
  if (REPEATS.has(status)) return request;
  const headers = [...new Headers(request.headers)].filter(
    ([name]) => !name.startsWith('content-'),
  );
  return { ...request, headers, method: 'GET', body: null };
}

/** The model's endpoint redirects to another origin. The request has the conversation, so it does not follow. */
class ModelRedirectedError extends TroupeError {
  override readonly name = 'ModelRedirectedError';
  readonly code = 'MODEL_REDIRECTED';
  readonly origin: string;
  readonly target: string;

  /** @param target origin of the address that the endpoint names */
  constructor(origin: string, target: string) {
    super(
      `The model's endpoint ${origin} redirects to another origin, ${target}, and Troupe does not send the ` +
        `conversation there. If you trust it, set ANTHROPIC_BASE_URL to ${target} and the path of its Messages API.`,
      { details: { origin, target } },
    );
    this.origin = origin;
    this.target = target;
  }
}
