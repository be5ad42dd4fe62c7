import type { AnthropicSdk, ToThrown } from './anthropic-sdk.js';
import { ModelNotAStreamError } from '../errors/model-not-a-stream-error.js';
import type { Model, ModelEvent } from '../model.js';
import { readEventStream } from '../stream/read-event-stream.js';
import { mostStreamChars } from '../stream/reply-limits.js';
import { withActivity } from './tap-response.js';
import { toRequestBody } from './to-request-body.js';

export type SdkStreamOptions = { readonly sdk: AnthropicSdk; readonly toThrown: ToThrown };

/** Streams replies through the SDK and fetch: for proxies, redirects, traces and logs. */
export function createSdkStream({ sdk, toThrown }: SdkStreamOptions): Model['stream'] {
  return async (request, { signal, onActivity }) => {
    const connection = new AbortController();
    const response = await sdk.send(toRequestBody(request), {
      signal: AbortSignal.any([signal, connection.signal]),
      ...(onActivity === undefined ? {} : { fetchOptions: withActivity(onActivity) }),
    });
    return readEvents(response, {
      mostChars: mostStreamChars(request.maxTokens),
      signal,
      hangUp: () => connection.abort(),
      toThrown: (failure) => toThrown(failure, () => response.headers),
    });
  };
}

type ReadOptions = {
  readonly mostChars: number;
  readonly signal: AbortSignal;
  readonly hangUp: () => void;
  readonly toThrown: (failure: unknown) => Promise<unknown>;
};

async function* readEvents(
  response: Response,
  { mostChars, signal, hangUp, toThrown }: ReadOptions,
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
    const body = whole === null || isStream ? whole : withLook(whole, refuseType);
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

async function* withLook(
  body: AsyncIterable<Uint8Array>,
  look: () => void,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const piece of body) {
    if ((bytes += piece.length) > LOOK_BYTES) look();
    yield piece;
  }
}
