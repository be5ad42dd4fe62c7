type Fetch = typeof globalThis.fetch;

/** Make a fetch for a client that reads errors whole: only the beginning of their bodies is passed on. */
export function shortenErrors(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    return response.ok ? response : shortenError(response);
  };
}

/** Limits of an error answer: bytes, and time. */
const LONGEST_ERROR_BYTES = 64 * 1024;
const LONGEST_ERROR_MS = 10_000;

/** An error of the endpoint with a body that is read already, shortened if it is long or slow. */
async function shortenError(response: Response): Promise<Response> {
  const { body, status, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), LONGEST_ERROR_MS);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (bytes < LONGEST_ERROR_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value.subarray(0, LONGEST_ERROR_BYTES - bytes));
      bytes += value.length;
    }
  } catch {
    // the connection broke in the body: the status is enough
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return new Response(Buffer.concat(parts), { status, headers }); // without the reason phrase, which may have any text
}
