import { createParser } from 'eventsource-parser';
import { signal } from '@preact/signals';

/** The connection to the server: `refused` if the server does not know the token of the page. */
export const connection = signal<'open' | 'lost' | 'refused'>('lost');

const AGAIN_AFTER_MS = 1_000;
const TOKEN = 'token';

/** Keep the token of the address for this origin, and remove it from the address bar. Servers on other ports never get it. */
export function takeToken(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get(TOKEN);
  if (given === null) return;
  localStorage.setItem(TOKEN, given);
  history.replaceState(null, '', location.pathname);
}

function authorization(): Record<string, string> {
  return { authorization: `Bearer ${localStorage.getItem(TOKEN) ?? ''}` };
}

export function post(
  path: string,
  body: object,
  left: AbortSignal | null = null,
): Promise<Response> {
  return fetch(path, {
    signal: left,
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** An event of the server. */
export type ServerEvent = { readonly event?: string; readonly id?: string; readonly data: unknown };

/**
 * Follow the events of the server until `left` aborts, again after each loss. A page that is not visible has no
 * connection: a browser makes six to a server at most.
 *
 * @param body of each request: it has the positions from which the page continues
 */
export async function follow(
  body: () => object,
  { onEvent, left }: { readonly onEvent: (event: ServerEvent) => void; readonly left: AbortSignal },
): Promise<void> {
  while (!left.aborted && connection.value !== 'refused') {
    await visible();
    const hidden = new AbortController();
    const onChange = (): void => {
      if (document.hidden) hidden.abort();
    };
    document.addEventListener('visibilitychange', onChange);
    try {
      const answer = await post('/events', body(), AbortSignal.any([left, hidden.signal]));
      connection.value = answer.ok ? 'open' : answer.status === 401 ? 'refused' : 'lost';
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

/** Read the events of an answer to its end. */
export async function readEvents(
  { body }: Response,
  onEvent: (event: ServerEvent) => void,
): Promise<void> {
  const parser = createParser({
    onEvent: ({ event = '', id = '', data }) =>
      onEvent({ event, id, data: JSON.parse(data) as unknown }),
  });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
    parser.feed(piece.value);
}

function visible(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}
