import type { IncomingMessage } from 'node:http';
import type { AnthropicSdk, ToThrown } from './anthropic-sdk.js';
import {
  createDirectTransport,
  type DirectTransportOptions,
  type RefusedAnswer,
} from './direct-transport.js';
import type { Model, ModelEvent, ModelRequest } from '../model.js';
import { mostStreamChars } from '../stream/reply-limits.js';
import { createBodyBytes } from './to-body-bytes.js';

export type DirectStreamOptions = {
  readonly transport: DirectTransportOptions;
  readonly sdk: AnthropicSdk;
  readonly toThrown: ToThrown;
};

/** Open one request; undefined if the answer is a redirect. */
type DirectStream = (
  request: ModelRequest,
  options: Parameters<Model['stream']>[1],
) => Promise<AsyncIterable<ModelEvent> | undefined>;

/** Streams replies without the SDK, which only makes the errors. */
export function createDirectStream({
  transport,
  sdk,
  toThrown,
}: DirectStreamOptions): DirectStream {
  const post = createDirectTransport(transport);
  const toBodyBytes = createBodyBytes();
  return async (request, { signal, onActivity }) => {
    const sent = post(toBodyBytes(request), {
      signal,
      mostChars: mostStreamChars(request.maxTokens),
      onActivity,
      toThrown: (failure, answer) => toThrown(failure, () => headersOf(answer)),
    });
    const answer = await sent.catch(async (error: unknown) => {
      throw await sdk.toError(() => Promise.reject(error as Error), signal);
    });
    if (answer.kind === 'stream') return answer.events;
    if (answer.kind === 'redirected') return undefined;
    throw await sdk.toError(() => toResponse(answer), signal);
  };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string); // pairs
  return headers;
}

/** Without the reason phrase: it is not used, and a control character in it would be an error. */
async function toResponse({ answer, body }: RefusedAnswer): Promise<Response> {
  const { statusCode: status = 0 } = answer;
  const headers = headersOf(answer);
  return new Response(status === 304 ? null : body, { status, headers });
}
