import type { ModelEvent } from './model.js';

/**
 * Reads server-sent events off a body, one generator deep: each layer between a socket and a reader costs every event a few
 * turns of the microtask queue. Events of the transport (`ping`) stay here; what was not ended by a blank line never was.
 *
 * @param toError makes what is thrown for an `error` event out of its data, which may be no JSON
 * @throws SyntaxError for an event whose data is no JSON
 */
export async function* readEventStream(
  body: AsyncIterable<Uint8Array>,
  toError: (data: unknown) => unknown,
): AsyncGenerator<ModelEvent, void> {
  const decoder = new TextDecoder();
  let text = '';
  let endsWithReturn = false;
  let name = '';
  let data: string | undefined;
  for await (const chunk of body) {
    const decoded = decoder.decode(chunk, { stream: true });
    text += decoded; // a rope: a long line is not looked through for each piece of it
    if (!endsWithReturn && !/[\n\r]/.test(decoded)) continue;
    endsWithReturn = text.endsWith('\r'); // its line feed may be under way
    const whole = endsWithReturn ? text.slice(0, -1) : text;
    const lines = (whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole).split('\n');
    text = `${lines.pop() ?? ''}${endsWithReturn ? '\r' : ''}`;
    for (const line of lines) {
      if (line === '') {
        if (name === 'error') throw toError(parse(data ?? ''));
        if (name !== '' && name !== 'ping' && data !== undefined && data !== '')
          yield JSON.parse(data) as ModelEvent; // checked by whoever puts the reply together
        name = '';
        data = undefined;
      } else if (line.startsWith('event:')) name = valueOf(line, 6);
      else if (line.startsWith('data:')) {
        const value = valueOf(line, 5);
        data = data === undefined ? value : `${data}\n${value}`;
      }
    }
  }
}

function valueOf(line: string, start: number): string {
  return line.slice(line.startsWith(' ', start) ? start + 1 : start);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
