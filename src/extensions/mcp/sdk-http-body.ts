import { messageOf } from '../../core/errors.js';
import { describeSystemError } from '../../core/system-error.js';

/** Give a response another body, which is decoded. */
export function replaceBody(
  { status, headers }: Response,
  body: string | ReadableStream<Uint8Array> | null,
): Response {
  const kept = new Headers(headers);
  for (const name of ['content-length', 'content-encoding']) kept.delete(name);
  return new Response(body, { status, headers: kept });
}

/** Describe why a server could not be reached, without a full stop. */
export function describeFetchError(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return describeSystemError(cause ?? error).replace(/\.$/, '') || messageOf(error);
}
