import { messageOf } from '../../core/errors.js';
import { tryParseJson } from '../../core/json/try-parse-json.js';
import { isRecord } from '../../core/json/is-record.js';
import { DEEPEST_JSON, isTooDeep } from './json-depth.js';
import { ModelBadAnswerError } from '../errors/broken-reply-errors.js';
import type { ModelEvent } from '../model.js';

/** Longest event and longest line, in UTF-16 code units. Real events have some hundred. */
export const LONGEST_EVENT_CHARS = 4 * 1024 * 1024;
/** Most characters without an event: blank lines, comments and pings are not events. */
const MOST_CHARS_WITHOUT_EVENT = 2 * LONGEST_EVENT_CHARS;

/** The types of the Messages API. Events of newer types are passed on too, up to a limit of all of them together. */
const KNOWN_TYPES: ReadonlySet<unknown> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);
const MOST_UNKNOWN_CHARS = 1024 * 1024;
/** Counted for each event, because many short ones cost more than their characters. */
const CHARS_OF_EVENT = 64;

/** An `error` event of the endpoint. */
export class SentError {
  readonly data: object;

  constructor(data: object) {
    this.data = data;
  }
}

/** Parses server-sent events piece by piece. */
export interface EventParser {
  /**
   * Parse the next piece of the text, of any size.
   *
   * @throws SentError for an `error` event, ModelBadAnswerError for an event that is not a JSON object, or too long, or
   * nested too deep, and for a stream that is too long, has no events or too many of unknown types. Earlier events were
   * passed on.
   */
  push(piece: string): void;
}

/**
 * Events of the transport (`ping`) are left out, and so is an event without the blank line at its end.
 *
 * @param mostChars limit of the whole stream
 */
export function createEventParser(
  onEvent: (event: ModelEvent) => void,
  mostChars: number,
): EventParser {
  let rest = '';
  let hasBegun = false;
  let endsWithReturn = false;
  let name = '';
  let data: string | undefined;
  let chars = 0;
  let charsWithoutEvent = 0;
  let unknownChars = 0;

  const endEvent = (): void => {
    if (name === 'error') throw readError(data ?? '');
    const whole = name === '' || name === 'ping' ? undefined : data;
    name = '';
    data = undefined;
    if (whole === undefined || whole === '') return;
    charsWithoutEvent = 0;
    const event = toEvent(whole);
    if (!KNOWN_TYPES.has(event.type)) countUnknown(whole);
    onEvent(event);
  };

  const countUnknown = (text: string): void => {
    unknownChars += text.length + CHARS_OF_EVENT;
    if (unknownChars > MOST_UNKNOWN_CHARS)
      throw new ModelBadAnswerError(
        'the stream',
        `has more than ${MOST_UNKNOWN_CHARS} characters in events of unknown types`,
      );
  };

  const takeLine = (text: string, start: number, end: number): void => {
    if (start === end) return endEvent();
    if (text.startsWith('event:', start)) name = valueOf(text, start + 6, end);
    else if (text.startsWith('data:', start)) {
      const value = valueOf(text, start + 5, end);
      data = data === undefined ? value : `${data}\n${value}`;
      requireShort(data);
    }
  };

  return {
    push(piece) {
      chars += piece.length;
      charsWithoutEvent += piece.length;
      if (chars > mostChars)
        throw new ModelBadAnswerError('the stream', `is longer than ${mostChars} characters`);
      rest += !hasBegun && piece.startsWith(BYTE_ORDER_MARK) ? piece.slice(1) : piece; // a rope: a long line is not searched again for each piece
      hasBegun ||= piece !== '';
      if (!endsWithReturn && !/[\n\r]/.test(piece)) return requireShort(rest);
      endsWithReturn = rest.endsWith('\r'); // its line feed may follow
      const whole = endsWithReturn ? rest.slice(0, -1) : rest;
      const text = whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole;
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        takeLine(text, start, end);
        start = end + 1;
      }
      rest = `${text.slice(start)}${endsWithReturn ? '\r' : ''}`;
      if (charsWithoutEvent > MOST_CHARS_WITHOUT_EVENT)
        throw new ModelBadAnswerError(
          'the stream',
          `has no event in ${MOST_CHARS_WITHOUT_EVENT} characters`,
        );
    },
  };
}

const BYTE_ORDER_MARK = '\ufeff';

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
  return event as ModelEvent; // the assembler checks its type
}

function readError(data: string): SentError | ModelBadAnswerError {
  const said = tryParseJson(data);
  const error = isRecord(said) ? said['error'] : undefined;
  if (isRecord(said) && isRecord(error) && typeof error['type'] === 'string' && !isTooDeep(said))
    return new SentError(said);
  const shown = data.length > LONGEST_SHOWN_CHARS ? `${data.slice(0, LONGEST_SHOWN_CHARS)}…` : data;
  return new ModelBadAnswerError('error', `does not say what went wrong: ${shown}`);
}

const LONGEST_SHOWN_CHARS = 300;

function valueOf(text: string, start: number, end: number): string {
  return text.slice(text[start] === ' ' ? start + 1 : start, end);
}
