/** Longest header of a message; real ones have less than 100 bytes. */
const MAX_HEADER_BYTES = 4 * 1024;
/** Size limit of one message of a server. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const HEADER_END = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

/** The server writes what is no message, or one that is too large. Nothing behind it can be read. */
export class FrameFault extends Error {
  override readonly name = 'FrameFault';
}

/**
 * Split the output of a server into messages: headers, a blank line, and as many bytes as `Content-Length` says. Memory
 * is bounded, whatever the server writes.
 *
 * @returns a function that reads a chunk. It throws a {@link FrameFault}.
 */
export function createFrameReader(deliver: (text: string) => void): (chunk: Buffer) => void {
  let header = NOTHING;
  let body: Buffer | undefined;
  let filled = 0;

  /** @returns the bytes behind the header; undefined if it has not ended */
  const readHeader = (chunk: Buffer): Buffer | undefined => {
    const begun = Buffer.concat([header, chunk]);
    const end = begun.subarray(0, MAX_HEADER_BYTES).indexOf(HEADER_END);
    if (end === -1 && begun.length >= MAX_HEADER_BYTES)
      throw new FrameFault(`it sent a header of more than ${MAX_HEADER_BYTES} bytes`);
    header = end === -1 ? begun : NOTHING;
    if (end === -1) return undefined;
    body = Buffer.allocUnsafe(lengthIn(begun.toString('latin1', 0, end)));
    filled = 0;
    return begun.subarray(end + HEADER_END.length);
  };

  return (chunk) => {
    let rest: Buffer | undefined = chunk;
    while (rest !== undefined && (rest.length > 0 || body?.length === filled)) {
      if (body === undefined) {
        rest = readHeader(rest);
        continue;
      }
      const copied: number = rest.copy(body, filled);
      filled += copied;
      rest = rest.subarray(copied);
      if (filled < body.length) return;
      const text = body.toString('utf8');
      body = undefined;
      deliver(text);
    }
  };
}

/** @throws FrameFault if the header names no length, or one above the limit */
function lengthIn(header: string): number {
  const [, digits] = /^content-length:[ \t]*(\d{1,15})[ \t]*$/im.exec(header) ?? [];
  if (digits === undefined) throw new FrameFault('it sent a header without a valid Content-Length');
  const length = Number(digits);
  if (length <= MAX_MESSAGE_BYTES) return length;
  throw new FrameFault(
    `it announced a message of ${length} bytes; the limit is ${MAX_MESSAGE_BYTES}`,
  );
}
