type Fetch = typeof globalThis.fetch;
type Init = Parameters<Fetch>[1] & object;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The HTTP statuses that keep method and body. */
const REPEATS = new Set([307, 308]);
const MOST_REDIRECTS = 20;
/** The only headers that another origin gets: no credentials, and none that the user has added. */
const HEADERS_FOR_ANYBODY = new Set(['accept', 'anthropic-version', 'content-type']);

/** A fetch that follows redirects itself: global fetch would take keys in headers of other names along to any origin. */
export function followRedirects(fetch: Fetch): Fetch {
  return async (input, init = {}) => {
    let from = new URL(input instanceof Request ? input.url : input);
    let next: Init = { ...init, redirect: 'manual' };
    let response = await fetch(input, next);
    for (let count = 1; ; count += 1) {
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || location === null) return response;
      if (count > MOST_REDIRECTS)
        throw new Error(`The endpoint redirected ${MOST_REDIRECTS} times.`);
      response.body?.cancel().catch(() => undefined);
      const to = toAddress(location, from);
      next = redirected(next, response.status, from.origin === to.origin);
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

function redirected(request: Init, status: number, isSameOrigin: boolean): Init {
  const isRepeated = REPEATS.has(status);
  const headers = [...new Headers(request.headers)].filter(
    ([name]) =>
      (isSameOrigin || HEADERS_FOR_ANYBODY.has(name)) &&
      (isRepeated || !name.startsWith('content-')),
  );
  return { ...request, headers, ...(isRepeated ? {} : { method: 'GET', body: null }) };
}
