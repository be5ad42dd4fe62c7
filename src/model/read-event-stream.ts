import { messageOf } from '../core/errors.js';
import { tryParseJson } from '../core/try-parse-json.js';
import { isRecord } from './is-record.js';
import { DEEPEST_JSON, isTooDeep } from './json-depth.js';
import { ModelBadAnswerError } from './model-bad-answer-error.js';
import type { ModelEvent } from './model.js';

/** One event, and one line of it, in UTF-16 code units. Real events are some hundred. */
export const LONGEST_EVENT_CHARS = 4 * 1024 * 1024;

/** How long the rest of a body may take after the last event, and how much of it may come. */
const REST_MS = 1_000;
const REST_BYTES = 64 * 1024;

export type ReadEventStreamOptions = {
  /** Makes what is thrown for an `error` event out of its data. */
  readonly toError: (data: object) => unknown;
  /** Ends the request, also while a piece of its body is awaited. */
  readonly hangUp: () => void;
};

/**
 * Reads server-sent events off a body, one generator deep: each layer between a socket and a reader costs every event a few
 * turns of the microtask queue. Events of the transport (`ping`) stay here; what was not ended by a blank line never was.
 * Stop to read at `message_stop`, and the body is read to its end in the background, so that its connection can be kept.
 *
 * @throws ModelBadAnswerError for an event that is no JSON object, or too long, or nested too deep
 */
export async function* readEventStream(
  body: AsyncIterable<Uint8Array>,
  { toError, hangUp }: ReadEventStreamOptions,
): AsyncGenerator<ModelEvent, void> {
  const pieces = body[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let text = '';
  let endsWithReturn = false;
  let name = '';
  let data: string | undefined;
  let isWhole = false;
  let isOver = false;
  try {
    for (let piece = await pieces.next(); ; piece = await pieces.next()) {
      isOver = piece.done === true;
      if (piece.done === true) return;
      const decoded = decoder.decode(piece.value, { stream: true });
      text += decoded; // a rope: a long line is not looked through for each piece of it
      if (!endsWithReturn && !/[\n\r]/.test(decoded)) {
        requireShort(text);
        continue;
      }
      endsWithReturn = text.endsWith('\r'); // its line feed may be under way
      const whole = endsWithReturn ? text.slice(0, -1) : text;
      const lines = (whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole).split('\n');
      text = `${lines.pop() ?? ''}${endsWithReturn ? '\r' : ''}`;
      for (const line of lines) {
        if (line === '') {
          if (name === 'error') throw readError(data ?? '', toError);
          if (name !== '' && name !== 'ping' && data !== undefined && data !== '') {
            const event = toEvent(data);
            isWhole = event.type === 'message_stop';
            yield event;
          }
          name = '';
          data = undefined;
        } else if (line.startsWith('event:')) name = valueOf(line, 6);
        else if (line.startsWith('data:')) {
          const value = valueOf(line, 5);
          data = data === undefined ? value : `${data}\n${value}`;
          requireShort(data);
        }
      }
    }
  } catch (error) {
    isOver = true;
    await pieces.return?.();
    throw error;
  } finally {
    if (!isOver && isWhole) void readRest(pieces, hangUp);
    else if (!isOver) await pieces.return?.();
  }
}

function requireShort(text: string): void {
  if (text.length > LONGEST_EVENT_CHARS)
    throw new ModelBadAnswerError('an event', `is longer than ${LONGEST_EVENT_CHARS} characters`);
}

function toEvent(data: string): ModelEvent {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch (error) {
    throw new ModelBadAnswerError('an event', `is not JSON (${messageOf(error)})`);
  }
  if (!isRecord(event)) throw new ModelBadAnswerError('an event', 'is not a JSON object');
  if (data.length > DEEPEST_JSON && isTooDeep(event))
    throw new ModelBadAnswerError('an event', `is nested more than ${DEEPEST_JSON} deep`);
  return event as ModelEvent; // its type is checked by whoever puts the reply together
}

function readError(data: string, toError: ReadEventStreamOptions['toError']): unknown {
  const said = tryParseJson(data);
  const error = isRecord(said) ? said['error'] : undefined;
  if (isRecord(said) && isRecord(error) && typeof error['type'] === 'string' && !isTooDeep(said))
    return toError(said);
  const shown = data.length > LONGEST_SHOWN_CHARS ? `${data.slice(0, LONGEST_SHOWN_CHARS)}…` : data;
  return new ModelBadAnswerError('error', `does not say what went wrong: ${shown}`);
}

const LONGEST_SHOWN_CHARS = 300;

function valueOf(line: string, start: number): string {
  return line.slice(line.startsWith(' ', start) ? start + 1 : start);
}

/** The reply is whole, so nothing that comes or goes wrong now counts. */
async function readRest(pieces: AsyncIterator<Uint8Array>, hangUp: () => void): Promise<void> {
  const timer = setTimeout(hangUp, REST_MS).unref();
  try {
    let bytes = 0;
    for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next())
      if ((bytes += piece.value.length) > REST_BYTES) return hangUp();
  } catch {
    // a connection that breaks behind the reply
  } finally {
    clearTimeout(timer);
  }
}
