import type { AnthropicSdk, ToThrown } from './anthropic-sdk.js';
import { ModelNotAStreamError } from '../errors/broken-reply-errors.js';
import type { Model, ModelEvent } from '../model.js';
import { readEventStream } from '../stream/read-event-stream.js';
import { mostStreamChars } from '../stream/reply-limits.js';
import { toRequestBody } from './to-request-body.js';
import { withWholeCharacters } from './whole-characters.js';

export type SdkStreamOptions = { readonly sdk: AnthropicSdk; readonly toThrown: ToThrown };

/** Streams replies through the SDK and fetch: for proxies, redirects, traces and logs. */
export function createSdkStream({ sdk, toThrown }: SdkStreamOptions): Model['stream'] {
  return async (request, { signal, onActivity }) => {
    const connection = new AbortController();
    const response = await sdk.send(withWholeCharacters(toRequestBody(request)), {
      signal: AbortSignal.any([signal, connection.signal]),
    });
    return readEvents(response, {
      mostChars: mostStreamChars(request.maxTokens),
      signal,
      onActivity,
      hangUp: () => connection.abort(),
      toThrown: (failure) => toThrown(failure, () => response.headers),
    });
  };
}

type ReadOptions = {
  readonly mostChars: number;
  readonly signal: AbortSignal;
  /** Called for every piece of the body: the parser hides pings. */
  readonly onActivity: (() => void) | undefined;
  readonly hangUp: () => void;
  readonly toThrown: (failure: unknown) => Promise<unknown>;
};

async function* readEvents(
  response: Response,
  { mostChars, signal, onActivity = () => {}, hangUp, toThrown }: ReadOptions,
): AsyncGenerator<ModelEvent, void> {
  let count = 0;
  const type = response.headers.get('content-type') ?? STREAM_TYPE;
  const isStream = type.toLowerCase().startsWith(STREAM_TYPE);
  const refuseType = (): void => {
    if (count === 0 && !isStream && !signal.aborted)
      throw new ModelNotAStreamError(type.slice(0, 100));
  };
  try {
    const whole: AsyncIterable<Uint8Array> | null = response.body; // null without a body
    const look = isStream ? onActivity : withLimit(onActivity, refuseType);
    const body = whole && watched(whole, look);
    if (body !== null)
      for await (const event of readEventStream(body, mostChars, hangUp)) {
        count += 1;
        yield event;
      }
    refuseType();
  } catch (error) {
    if (signal.aborted && error instanceof Error && error.name === 'AbortError') return;
    throw await toThrown(error);
  }
}

const STREAM_TYPE = 'text/event-stream';
/** Most bytes of a body of another type without an event. */
const LOOK_BYTES = 64 * 1024;

type Look = (piece: Uint8Array) => void;

/** @param refuse called for each piece behind the first ones */
function withLimit(look: Look, refuse: () => void): Look {
  let bytes = 0;
  return (piece) => {
    look(piece);
    if ((bytes += piece.length) > LOOK_BYTES) refuse();
  };
}

async function* watched(
  body: AsyncIterable<Uint8Array>,
  look: Look,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of body) {
    look(piece);
    yield piece;
  }
}
