import type { Readable } from 'node:stream';

/** The lines of a stream as they come, however they are cut into chunks; a last line without its end counts too. */
export async function* readLines(stream: Readable): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const chunk of stream) {
    const text = decoder.decode(chunk as Uint8Array, { stream: true }); // no encoding was set on it
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      pieces.push(line);
      if (index === lines.length - 1) continue;
      yield pieces.join('').replace(/\r$/, '');
      pieces = [];
    }
  }
  const last = pieces.join('') + decoder.decode();
  if (last !== '') yield last;
}
