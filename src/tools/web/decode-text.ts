import { TextDecoder } from 'node:util';

/**
 * Decode a page as browsers do: a byte order mark, then the charset of the header, then that of the page itself, then
 * UTF-8. Unknown charsets are passed over, and invalid bytes become U+FFFD.
 *
 * @param charset of the header `content-type`
 */
export function decodeText(bytes: Buffer, charset: string | undefined): string {
  const labels = [labelOfMark(bytes), charset, labelOfPage(bytes)];
  const decoder = labels.map(decoderOf).find((one) => one !== undefined) ?? new TextDecoder();
  return decoder.decode(bytes, { stream: true }) + decoder.decode(); // at once, Node 20 takes windows-1252 for Latin-1
}

/** Bytes that are searched for the charset of a page, as HTML says. */
const HEAD_BYTES = 1_024;

function labelOfMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

/** A page whose charset can be read like this is not UTF-16, whatever it says. */
function labelOfPage(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, HEAD_BYTES).toString('latin1');
  const label = /<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)/i.exec(
    head,
  )?.[1];
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined; // no charset of the encoding standard
  }
}
