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
 * The bytes of an answer as they were before whoever sent them compressed them, asked or not. An encoding that nobody
 * knows ends in an error for whoever reads.
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
    body = pipeline(body, decoder, () => {}); // whoever reads it gets the error
  }
  return body;
}
