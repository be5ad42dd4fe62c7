import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Calls `onLine` with each line that comes. A line of more than `most` bytes ends the connection with an error, which the
 * socket tells of, as of every other.
 */
export function readLines(socket: Socket, most: number, onLine: (line: string) => void): void {
  let length = 0;
  socket.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(10);
    length = end === -1 ? length + chunk.length : chunk.length - end - 1;
    if (length > most) socket.destroy(new Error(`it has sent a line of more than ${most} bytes`));
  });
  createInterface({ input: socket })
    .on('line', onLine)
    .on('error', () => {}); // the socket's own, told once more
}
