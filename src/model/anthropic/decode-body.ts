import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';

/** Create a decoder of an encoding; undefined for an unknown one. Few answers are compressed, so zlib is loaded here. */
function createDecoder(encoding: string): Transform | undefined {
  const zlib = process.getBuiltinModule('node:zlib');
  const { Z_SYNC_FLUSH } = zlib.constants;
  const atOnce = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(atOnce);
    case 'deflate':
      return zlib.createInflate(atOnce);
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      return undefined;
  }
}

/**
 * Decompress the body of an answer, whether compression was requested or not. An unknown encoding is an error for the
 * reader.
 */
export function decodeBody(incoming: IncomingMessage): Readable {
  const encodings = (incoming.headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  let body: Readable = incoming;
  for (const name of encodings.toReversed()) {
    const decoder = createDecoder(name);
    if (decoder === undefined)
      return incoming.destroy(
        new Error(`The answer is encoded as ${name}, which Troupe did not ask for.`),
      );
    body = pipeline(body, decoder, () => {}); // the reader gets the error
  }
  return body;
}
