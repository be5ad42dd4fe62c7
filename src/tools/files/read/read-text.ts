import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { TextDecoder } from 'node:util';
import { createLineWindow, type LineWindow } from '../content/line-window.js';
import { createTextDecoder, detectEncoding } from '../content/text-encoding.js';

const CHUNK_BYTES = 256 * 1024;

export type TextWindow = LineWindow & {
  readonly bytesRead: number;
  /** Digest of the whole file; undefined if reading stopped before its end. */
  readonly digest: string | undefined;
};

/**
 * Read a window of lines in bounded memory. Reads to the end of the file, for its digest and its number of lines,
 * unless `stopsEarly`.
 */
export async function readTextWindow(
  handle: Pick<FileHandle, 'read'>,
  {
    first,
    limit,
    maxChars,
    stopsEarly,
    signal,
  }: {
    readonly first: number;
    readonly limit: number;
    readonly maxChars: number;
    readonly stopsEarly: boolean;
    readonly signal: AbortSignal;
  },
): Promise<TextWindow> {
  const window = createLineWindow(first, limit, maxChars);
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let decoder: TextDecoder | undefined;
  for (let position = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) {
      if (decoder !== undefined) window.push(decoder.decode());
      window.end();
      return { ...window.result(), bytesRead: position, digest: hash.digest('hex') };
    }
    position += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    decoder ??= createTextDecoder(detectEncoding(chunk));
    window.push(decoder.decode(chunk, { stream: true }));
    if (stopsEarly && window.isFull()) {
      return { ...window.result(), bytesRead: position, digest: undefined };
    }
  }
}
