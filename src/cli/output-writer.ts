import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes whole lines to a stream that may be slow or go away. */
export interface OutputWriter {
  /** Resolves when the stream takes more. After the reader has gone it does nothing. */
  write(text: string): Promise<void>;
  /** Nobody reads any more. */
  readonly isBroken: boolean;
}

/** Say why stdout takes nothing more. A reader that has gone (`EPIPE`) needs no word. */
export function warnOfOutput(error: NodeJS.ErrnoException, warn: (line: string) => void): void {
  if (error.code !== 'EPIPE') warn(`the output could not be written to stdout: ${error.message}`);
}

/** @param onBroken called once, when the reader has gone (`EPIPE`) or the stream has failed */
export function createOutputWriter(
  stream: Writable,
  onBroken: (error: NodeJS.ErrnoException) => void = () => {},
): OutputWriter {
  let isBroken = false;
  /** One wait for all who write meanwhile. */
  let drained: Promise<void> | undefined;
  const gone = new AbortController();
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isBroken) return;
    isBroken = true;
    gone.abort();
    onBroken(error);
  });
  const drain = async (): Promise<void> => {
    await once(stream, 'drain', { signal: gone.signal }).catch(() => {}); // the reader has gone: told by onBroken
    drained = undefined;
  };
  return {
    get isBroken() {
      return isBroken;
    },
    async write(text) {
      if (isBroken || stream.destroyed) return;
      if (stream.write(text)) return;
      await (drained ??= drain());
    },
  };
}
