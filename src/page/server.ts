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

export function post(path: string, body: object): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** One value of a stream; the next request gives the ID of the last one. */
type Part = { readonly id?: string; readonly data: unknown };

/**
 * Follow a stream of the server until `left` aborts, again after each loss. A page that is not visible has no
 * stream: a browser makes six connections to a server at most.
 */
export async function follow(
  address: (lastId: string) => string,
  { onData, left }: { readonly onData: (data: unknown) => void; readonly left: AbortSignal },
): Promise<void> {
  let lastId = '';
  while (!left.aborted && connection.value !== 'refused') {
    await visible();
    const hidden = new AbortController();
    const onChange = (): void => {
      if (document.hidden) hidden.abort();
    };
    document.addEventListener('visibilitychange', onChange);
    try {
      const one = AbortSignal.any([left, hidden.signal]);
      const answer = await fetch(address(lastId), { headers: authorization(), signal: one });
      connection.value = answer.ok ? 'open' : answer.status === 401 ? 'refused' : 'lost';
      if (answer.ok && answer.body !== null)
        for await (const line of linesOf(answer.body)) {
          const { id = '', data } = JSON.parse(line) as Part;
          onData(data);
          lastId = id;
        }
    } catch {
      if (!left.aborted && !hidden.signal.aborted) connection.value = 'lost';
    } finally {
      document.removeEventListener('visibilitychange', onChange);
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
  }
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

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let begun: string[] = [];
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const [rest = '', ...more] = decoder.decode(piece.value, { stream: true }).split('\n');
    begun.push(rest);
    for (const next of more) {
      yield begun.join('');
      begun = [next];
    }
  }
  throw new Error('the server has ended the stream');
}
