type Fetch = typeof globalThis.fetch;

const ON_ACTIVITY = Symbol('onActivity');
type TappedInit = RequestInit & { readonly [ON_ACTIVITY]?: () => void };

/** Options of a request through a tapped fetch: calls back for every piece of the answer's body. */
export function withActivity(onActivity: () => void): object {
  return { [ON_ACTIVITY]: onActivity };
}

/**
 * Make a fetch for a client whose parser hides pings: the caller learns of every piece that comes. The client reads
 * errors whole, so only the beginning of their bodies is passed on.
 */
export function tapFetch(fetch: Fetch): Fetch {
  return async (input, init?: TappedInit) => {
    const response = await fetch(input, init);
    if (!response.ok) return shortenError(response);
    const onActivity = init?.[ON_ACTIVITY];
    const body: AsyncIterable<unknown> | null = response.body;
    if (onActivity !== undefined && body !== null)
      Object.defineProperty(response, 'body', { value: tapBody(body, onActivity) });
    return response;
  };
}

/** The body as its reader sees it: an iterable for one use. */
function tapBody<T>(body: AsyncIterable<T>, onActivity: () => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const pieces = body[Symbol.asyncIterator]();
      const tell = (result: IteratorResult<T>): IteratorResult<T> => {
        onActivity();
        return result;
      };
      return {
        next: () => pieces.next().then(tell),
        return: async (value?: unknown) =>
          (await pieces.return?.(value)) ?? { done: true, value: undefined },
      };
    },
  };
}

/** Limits of an error answer: bytes, and time. */
const LONGEST_ERROR_BYTES = 64 * 1024;
const LONGEST_ERROR_MS = 10_000;

/** An error of the endpoint with a body that is read already, shortened if it is long or slow. */
async function shortenError(response: Response): Promise<Response> {
  const { body, status, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), LONGEST_ERROR_MS);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (bytes < LONGEST_ERROR_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value.subarray(0, LONGEST_ERROR_BYTES - bytes));
      bytes += value.length;
    }
  } catch {
    // the connection broke in the body: the status is enough
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return new Response(Buffer.concat(parts), { status, headers }); // without the reason phrase, which may have any text
}
