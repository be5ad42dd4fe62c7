import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WebError } from './web-error.js';

/**
 * Read a whole body, decompressed. Neither what comes over the wire nor what it decompresses to may be larger than the
 * limit: reading stops there.
 *
 * @throws WebError if the body is too large or its compression is unknown
 */
export async function readBody(
  response: IncomingMessage,
  { url, maxBytes }: { readonly url: string; readonly maxBytes: number },
): Promise<Buffer> {
  const decompress = decompressorOf(response.headers['content-encoding'], url);
  const chunks: Buffer[] = [];
  const capped = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(url, maxBytes);
      yield chunk;
    }
  };
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) chunks.push(chunk);
  };
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(url, maxBytes);
  if (decompress === undefined) await pipeline(response, capped, collect);
  else await pipeline(response, capped, decompress, capped, collect);
  return Buffer.concat(chunks);
}

function tooLarge(url: string, maxBytes: number): WebError {
  const most = `${Math.floor(maxBytes / 1024 / 1024)} MB`;
  const message = `${url} is larger than ${most}, the most that WebFetch reads. Fetch a smaller page.`;
  return new WebError('too_large', url, message);
}

/** A body that is cut off gives what came of it, as in browsers. */
function decompressorOf(encoding: string | undefined, url: string) {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: Z_SYNC_FLUSH });
    case 'deflate':
      return createInflate({ finishFlush: Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH });
    default: {
      const message = `${url} is compressed by "${encoding}", which WebFetch cannot read.`;
      throw new WebError('unsupported', url, message);
    }
  }
}
