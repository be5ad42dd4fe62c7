import { type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { readServerMessage } from './sdk-message.js';

/** Size limit of one answer and of one event, in UTF-16 code units. */
export const MAX_ANSWER_CHARS = 10 * 1024 * 1024;
/** A server asks for its own delay before a stream is opened again. */
const RETRY_MS = { least: 100, most: 30_000 };

export type EventsOptions = {
  /** The request that the stream answers; undefined for a stream of the server's own messages. */
  readonly id: RequestId | undefined;
  /** The call was cancelled. */
  readonly cancelled: AbortSignal;
  /** Called at the end, with the last event's ID if the answer is missing and the stream can be resumed. */
  readonly onEnd: (lastEventId: string | undefined) => void;
  /** Called with a message of the server that is too long; an answer that is too long becomes an error of its call. */
  readonly onTooLong: (why: string) => void;
};

/**
 * Check the server-sent events of a server, and write them again. A message that is invalid becomes an error of the call
 * that waits for it, and so does the end of a stream that cannot be resumed. The SDK would wait until the timeout.
 */
export async function* checkEvents(
  body: AsyncIterable<Uint8Array>,
  { id, cancelled, onEnd, onTooLong }: EventsOptions,
): AsyncGenerator<string> {
  const events = createEventReader();
  const decoder = new TextDecoder();
  let waits = id !== undefined;
  let lastEventId: string | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of body) {
      for (const event of events.read(decoder.decode(chunk, { stream: true }))) {
        lastEventId = event.eventId ?? lastEventId;
        if (event.message !== undefined && isAnswerTo(event.message, id)) waits = false;
        yield event.lines;
      }
      if (events.isTooLong()) throw new Error(TOO_LONG);
    }
  } catch (error) {
    failure = { error };
  }
  const isTooLong = events.isTooLong();
  const canResume = waits && !isTooLong && !cancelled.aborted && lastEventId !== undefined;
  if (isTooLong && id === undefined) onTooLong(TOO_LONG);
  onEnd(canResume ? lastEventId : undefined);
  if (waits && !canResume && id !== undefined)
    // the SDK does not resume a stream that had a result; nobody waits for that of a cancelled call
    yield toEvent(
      cancelled.aborted
        ? { jsonrpc: '2.0', id, result: {} }
        : errorOf(id, isTooLong ? TOO_LONG : BROKEN_OFF),
    );
  else if (failure !== undefined && (waits || id === undefined)) throw failure.error;
}

function errorOf(id: RequestId, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: CONNECTION_CLOSED, message } };
}

const TOO_LONG = `it sent more than ${MAX_ANSWER_CHARS} characters in one event`;
const CONNECTION_CLOSED = -32_000;
/** The error of a call whose answer has ended too early. */
export const BROKEN_OFF =
  'the answer broke off: it is unknown what the tool had done by then. Check before you repeat the call';

type ReadEvent = {
  readonly lines: string;
  readonly message?: JSONRPCMessage;
  readonly eventId?: string;
};

function createEventReader(): {
  read(text: string): readonly ReadEvent[];
  isTooLong(): boolean;
} {
  let found: ReadEvent[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_ANSWER_CHARS,
    onEvent: (event) => found.push(checkEvent(event)),
    onRetry: (ms) => {
      const delay = Math.min(Math.max(ms, RETRY_MS.least), RETRY_MS.most);
      found.push({ lines: `retry: ${delay}\n` });
    },
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  return {
    isTooLong: () => isTooLong,
    read(text) {
      found = [];
      if (!isTooLong) parser.feed(text);
      return found;
    },
  };
}

function checkEvent({ id, event, data }: EventSourceMessage): ReadEvent {
  const ofEvent = id === undefined ? {} : { eventId: id };
  const isMessage = (event === undefined || event === 'message') && data !== '';
  if (!isMessage) return { ...ofEvent, lines: writeEvent(id, event, data) };
  try {
    const message = readServerMessage(data);
    return { ...ofEvent, message, lines: writeEvent(id, event, JSON.stringify(message)) };
  } catch {
    return { ...ofEvent, lines: writeEvent(id, event, '') }; // a message that no call waits for
  }
}

function writeEvent(id: string | undefined, event: string | undefined, data: string): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  return `${head}${lines.join('')}\n`;
}

function toEvent(message: JSONRPCMessage): string {
  return writeEvent(undefined, undefined, JSON.stringify(message));
}

function isAnswerTo(message: JSONRPCMessage, id: RequestId | undefined): boolean {
  return id !== undefined && !('method' in message) && message.id === id;
}
