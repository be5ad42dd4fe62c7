/**
 * Yield the lines of a stream of bytes, however they are split into chunks; an incomplete last line counts too. Only a
 * line feed ends a line: JSON may have U+2028 within a line.
 *
 * @param most bytes of a line
 * @throws RangeError at a longer one
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  most = Infinity,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const end = chunk.lastIndexOf(LINE_FEED);
    length = end === -1 ? length + chunk.length : chunk.length - end - 1;
    if (length > most) throw new RangeError(`a line of more than ${most} bytes was sent`);
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
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

const LINE_FEED = 10;
