import { TextDecoder } from 'node:util';

/** The encoding of a text file. A byte order mark is part of the file, not of its text. */
export type TextEncoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';

/** Detect the encoding by the byte order mark; UTF-8 without one. */
export function detectEncoding(bytes: Uint8Array): TextEncoding {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8-bom';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Decode piece by piece, without the mark; invalid bytes become U+FFFD. */
export function createTextDecoder(encoding: TextEncoding): TextDecoder {
  return new TextDecoder(labelOf(encoding));
}

/** Undefined if the bytes are not text in the encoding: encoding the result would not give the same bytes. */
export function decodeExactly(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  try {
    return new TextDecoder(labelOf(encoding), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Add the mark. A mark at the beginning of the text is not doubled. */
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

/** The position of a lone surrogate, which no encoding can store; -1 if there is none. */
export function findLoneSurrogate(text: string): number {
  return text.search(/\p{Surrogate}/u);
}

/** `\r\n` if every line ends so, `\n` if none does, `mixed` otherwise; undefined for a single line. */
export function lineEndingOf(text: string): '\n' | '\r\n' | 'mixed' | undefined {
  const hasCrlf = text.includes('\r\n');
  const hasLf = /(?<!\r)\n/.test(text);
  if (hasCrlf && hasLf) return 'mixed';
  return hasCrlf ? '\r\n' : hasLf ? '\n' : undefined;
}

function labelOf(encoding: TextEncoding): string {
  return encoding === 'utf-8-bom' ? 'utf-8' : encoding;
}
