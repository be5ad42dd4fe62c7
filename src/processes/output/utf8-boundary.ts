/**
 * The number of bytes that are whole UTF-8 characters: all of them, or up to three fewer if the last character is
 * incomplete. Bytes that are not UTF-8 count as whole.
 */
export function completeLength(bytes: Uint8Array): number {
  const length = bytes.length;
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? length - back : length;
  }
  return length;
}

/** The start of the first whole character in bytes from the middle of a text. */
export function firstBoundary(bytes: Uint8Array): number {
  let start = 0;
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start] ?? 0)) start += 1;
  return start;
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

function sequenceLength(leadByte: number): number {
  if (leadByte >= 0xf0 && leadByte < 0xf8) return 4;
  if (leadByte >= 0xe0 && leadByte < 0xf0) return 3;
  return leadByte >= 0xc0 && leadByte < 0xe0 ? 2 : 1;
}
