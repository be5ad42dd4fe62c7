import { open } from 'node:fs/promises';
import { READ_AT_ONCE } from '../../files/regular-file.js';
import { completeLength } from './utf8-boundary.js';

/** The longest UTF-8 character: a smaller read could never get past one. */
const LONGEST_CHARACTER = 4;
const MOST_BYTES = 1024 * 1024;

/**
 * Read the next part of a file that is still being written. `offset` and `next` are bytes; the next read begins at
 * `next`. A part never ends within a UTF-8 character: an incomplete one is left for the next read. At most `maxBytes`
 * (at least 4) are read. At the end of the file the text is empty and `next` is `offset`. Rejects with ENOENT if there
 * is no file.
 */
export async function readFrom(
  file: string,
  offset: number,
  maxBytes = MOST_BYTES,
): Promise<{ readonly text: string; readonly next: number }> {
  const handle = await open(file, READ_AT_ONCE);
  try {
    const { size } = await handle.stat();
    const wanted = Math.min(Math.max(maxBytes, LONGEST_CHARACTER), Math.max(0, size - offset));
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, offset);
    const whole = completeLength(buffer.subarray(0, bytesRead));
    return { text: buffer.toString('utf8', 0, whole), next: offset + whole };
  } finally {
    await handle.close();
  }
}

/** Like {@link readFrom}, of bytes in memory. */
export function pieceFrom(
  bytes: Buffer,
  offset: number,
  maxBytes = MOST_BYTES,
): { readonly text: string; readonly next: number } {
  const piece = bytes.subarray(offset, offset + Math.max(maxBytes, LONGEST_CHARACTER));
  const whole = completeLength(piece);
  return { text: piece.toString('utf8', 0, whole), next: offset + whole };
}

/** Like {@link readFrom}; a file that does not exist yet reads as empty. */
export async function readIfThere(
  ...[file, offset, maxBytes]: Parameters<typeof readFrom>
): ReturnType<typeof readFrom> {
  return readFrom(file, offset, maxBytes).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return { text: '', next: offset };
    throw error;
  });
}
