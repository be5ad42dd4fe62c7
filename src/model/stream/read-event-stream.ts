import { createEventParser } from './event-parser.js';
import type { ModelEvent } from '../model.js';

/** Limits of the rest of a body after the last event: time, and bytes. */
export const REST_MS = 1_000;
export const REST_BYTES = 64 * 1024;

/**
 * Read server-sent events from a body, one generator deep: each layer between a socket and a reader costs every event a
 * few turns of the microtask queue. After `message_stop` the body is read to its end in the background, so that its
 * connection can be reused.
 *
 * @param mostChars limit of the whole body
 * @param hangUp ends the request, also during a wait for its body
 * @throws the errors of the event parser
 */
export async function* readEventStream(
  body: AsyncIterable<Uint8Array>,
  mostChars: number,
  hangUp: () => void,
): AsyncGenerator<ModelEvent, void> {
  const pieces = body[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let events: ModelEvent[] = [];
  const parser = createEventParser((event) => events.push(event), mostChars);
  const parse = (piece: Uint8Array): { readonly error: unknown } | undefined => {
    try {
      return void parser.push(decoder.decode(piece, { stream: true }));
    } catch (error) {
      return { error };
    }
  };
  let isWhole = false;
  let isOver = false;
  try {
    for (let piece = await pieces.next(); ; piece = await pieces.next()) {
      isOver = piece.done === true;
      if (piece.done === true) return;
      const failure = parse(piece.value);
      for (const event of events) {
        isWhole = event.type === 'message_stop';
        yield event;
      }
      events = [];
      if (failure !== undefined) throw failure.error;
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

/** The reply is complete, so later events and errors are ignored. */
async function readRest(pieces: AsyncIterator<Uint8Array>, hangUp: () => void): Promise<void> {
  const timer = setTimeout(hangUp, REST_MS).unref();
  try {
    let bytes = 0;
    for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next())
      if ((bytes += piece.value.length) > REST_BYTES) return hangUp();
  } catch {
    // a connection that breaks after the reply
  } finally {
    clearTimeout(timer);
  }
}
