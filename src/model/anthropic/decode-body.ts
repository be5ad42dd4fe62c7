import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const AT_ONCE = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(AT_ONCE),
  'x-gzip': () => createGunzip(AT_ONCE),
  deflate: () => createInflate(AT_ONCE),
  br: () => createBrotliDecompress(),
};

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
    const decoder = DECODERS[name]?.();
    if (decoder === undefined)
      return incoming.destroy(
        new Error(`The answer is encoded as ${name}, which Troupe did not ask for.`),
      );
    body = pipeline(body, decoder, () => {}); // the reader gets the error
  }
  return body;
}
