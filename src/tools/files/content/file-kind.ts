import { detectEncoding } from './text-encoding.js';

export type FileKind =
  | { readonly type: 'text' }
  | { readonly type: 'image'; readonly mediaType: string }
  | { readonly type: 'pdf' }
  | { readonly type: 'binary' };

/** Number of bytes that {@link detectFileKind} reads. */
export const SNIFFED_BYTES = 8_192;

/** Detect the kind by the first bytes, never by the name: the kind that the model gets must be the real one. */
export function detectFileKind(start: Buffer): FileKind {
  const magic = start.toString('latin1', 0, 12);
  if (magic.startsWith('\x89PNG\r\n\x1a\n')) return { type: 'image', mediaType: 'image/png' };
  if (magic.startsWith('\xff\xd8\xff')) return { type: 'image', mediaType: 'image/jpeg' };
  if (/^GIF8[79]a/.test(magic)) return { type: 'image', mediaType: 'image/gif' };
  if (/^RIFF.{4}WEBP/s.test(magic)) return { type: 'image', mediaType: 'image/webp' };
  if (magic.startsWith('%PDF-')) return { type: 'pdf' };
  const isUtf16 = detectEncoding(start).startsWith('utf-16');
  return { type: !isUtf16 && start.includes(0) ? 'binary' : 'text' };
}
