type Fetch = typeof globalThis.fetch;

const ON_ACTIVITY = Symbol('onActivity');
type TappedInit = RequestInit & { readonly [ON_ACTIVITY]?: () => void };

/** Options of a request through a tapped fetch: told whenever a piece of the answer's body has come. */
export function withActivity(onActivity: () => void): object {
  return { [ON_ACTIVITY]: onActivity };
}

/** A fetch for a client whose parser keeps pings to itself: who asked for it learns of every piece that comes. */
export function tapFetch(fetch: Fetch): Fetch {
  return async (input, init?: TappedInit) => {
    const response = await fetch(input, init);
    const onActivity = init?.[ON_ACTIVITY];
    const body: AsyncIterable<unknown> | null = response.body;
    if (onActivity !== undefined && body !== null && response.ok)
      Object.defineProperty(response, 'body', { value: tapBody(body, onActivity) });
    return response;
  };
}

/** The body as its reader sees it: something to iterate over, once. */
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
