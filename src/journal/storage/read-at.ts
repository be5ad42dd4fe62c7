import { readSync } from 'node:fs';

/** Read bytes of a file from `position` on: `length` of them, or fewer if the file is shorter. */
export function readAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const count = readSync(descriptor, buffer, read, length - read, position + read);
    if (count === 0) break; // the file was shortened meanwhile
    read += count;
  }
  return buffer.subarray(0, read);
}
