import { createParser } from 'eventsource-parser';
import { signal } from '@preact/signals';

/** The connection to the server: `refused` if the server does not know the token of the page. */
export const connection = signal<'open' | 'lost' | 'refused'>('lost');

const AGAIN_AFTER_MS = 1_000;
/** Time between two looks of a page that is not visible. */
const HIDDEN_EVERY_MS = 3_000;
const TOKEN = 'token';

/** The token of the address, until the server has judged it. */
let given: string | undefined;

/** Take the token out of the parameters of the address. */
export function takeToken(address: URLSearchParams): void {
  given = address.get(TOKEN) ?? undefined;
  address.delete(TOKEN);
}

/**
 * Send a request. A token that the server accepts is kept for this origin: servers on other ports never get it. One that it
 * refuses replaces none: any site can open this page with a token.
 */
export async function post(
  path: string,
  body: object,
  left: AbortSignal | null = null,
): Promise<Response> {
  const kept = localStorage.getItem(TOKEN);
  const answer = await fetch(path, {
    signal: left,
    method: 'POST',
    headers: {
      authorization: `Bearer ${given ?? kept ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  if (given === undefined) return answer;
  if (answer.status !== 401) localStorage.setItem(TOKEN, given);
  given = undefined;
  return answer.status === 401 && kept !== null ? post(path, body, left) : answer;
}

/** An event of the server. */
export type ServerEvent = { readonly event?: string; readonly id?: string; readonly data: unknown };

/**
 * Follow the events of the server until `left` aborts, again after each loss. A page that is not visible only looks now
 * and then, for the title of its tab: a browser makes six connections to a server at most.
 *
 * @param body of each request: it has the positions from which the page continues
 */
export async function follow(
  body: () => object,
  {
    onEvent,
    onGone,
    known,
    left,
  }: {
    readonly onEvent: (event: ServerEvent) => void;
    /** The session is not there. */
    readonly onGone: () => void;
    /** IDs of the requests that the page has. */
    readonly known: () => readonly string[];
    readonly left: AbortSignal;
  },
): Promise<void> {
  while (!left.aborted && connection.value !== 'refused') {
    await untilVisible(onEvent, known, left);
    const hidden = new AbortController();
    const onChange = (): void => {
      if (document.hidden) hidden.abort();
    };
    document.addEventListener('visibilitychange', onChange);
    try {
      const answer = await post('/events', body(), AbortSignal.any([left, hidden.signal]));
      connection.value = answer.ok ? 'open' : answer.status === 401 ? 'refused' : 'lost';
      if (answer.status === 409) return onGone();
      if (answer.ok) await readEvents(answer, onEvent);
      connection.value = answer.status === 401 ? 'refused' : 'lost';
    } catch {
      if (!left.aborted && !hidden.signal.aborted) connection.value = 'lost';
    } finally {
      document.removeEventListener('visibilitychange', onChange);
    }
    if (!left.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
  }
}

/** Read the events of an answer to its end. @returns whether it is whole: the connection can be lost before */
export async function readEvents(
  { body }: Response,
  onEvent: (event: ServerEvent) => void,
): Promise<boolean> {
  let isWhole = false;
  const parser = createParser({
    onEvent({ event = '', id = '', data }) {
      if (event === 'end') isWhole = true;
      else onEvent({ event, id, data: JSON.parse(data) as unknown });
    },
  });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
    parser.feed(piece.value);
  return isWhole;
}

async function untilVisible(
  onEvent: (event: ServerEvent) => void,
  known: () => readonly string[],
  left: AbortSignal,
): Promise<void> {
  while (document.hidden && !left.aborted) {
    await Promise.race([
      new Promise((resolve) => setTimeout(resolve, HIDDEN_EVERY_MS)),
      new Promise((resolve) =>
        document.addEventListener('visibilitychange', resolve, { once: true }),
      ),
    ]);
    if (!document.hidden) return;
    const answer = await post('/live', { known: known() }).catch(() => undefined);
    if (answer?.ok === true) onEvent({ event: 'live', data: await answer.json() });
  }
}
