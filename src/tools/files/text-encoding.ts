import { TextDecoder } from 'node:util';

/** How a text file is stored. A mark is part of the file, not of its text. */
export type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';

/** By the byte order mark; UTF-8 without one. */
export function detectEncoding(bytes: Uint8Array): TextEncoding {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8-bom';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Decodes piece by piece, without the mark; what is not text becomes U+FFFD. */
export function createTextDecoder(encoding: TextEncoding): TextDecoder {
  return new TextDecoder(labelOf(encoding));
}

/** Undefined where the bytes are not text in the encoding: encoding it again would not give them back. */
export function decodeExactly(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  try {
    return new TextDecoder(labelOf(encoding), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Puts the mark back. A mark that the text begins with is not doubled. */
export function encodeText(text: string, encoding: TextEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const marked = text.startsWith('\uFEFF') ? text : `\uFEFF${text}`;
  switch (encoding) {
    case 'utf-8-bom':
      return Buffer.from(marked, 'utf8');
    case 'utf-16le':
      return Buffer.from(marked, 'utf16le');
    case 'utf-16be':
      return Buffer.from(marked, 'utf16le').swap16();
    default:
      return encoding satisfies never;
  }
}

/** Where half of a surrogate pair stands alone, which no encoding can store; -1 where none does. */
export function findLoneSurrogate(text: string): number {
  return text.search(/\p{Surrogate}/u);
}

/** `\r\n` where every line ends so, `\n` where none does, `mixed` otherwise; undefined for a single line. */
export function lineEndingOf(text: string): '\n' | '\r\n' | 'mixed' | undefined {
  const hasCrlf = text.includes('\r\n');
  const hasLf = /(?<!\r)\n/.test(text);
  if (hasCrlf && hasLf) return 'mixed';
  return hasCrlf ? '\r\n' : hasLf ? '\n' : undefined;
}

function labelOf(encoding: TextEncoding): string {
  return encoding === 'utf-8-bom' ? 'utf-8' : encoding;
}
