import type { ImageBlock } from '../../../core/messages.js';
import type { ReadPicture } from '../../calls/read-result.js';
import { detectFileKind, SNIFFED_BYTES } from './file-kind.js';

/** The API takes images of 5 MB after base64. */
export const MAX_IMAGE_BYTES = 3_750_000;

export function imageBlock({ mediaType, data }: ReadPicture): ImageBlock {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

/** Check an image in base64 by its content. Undefined if the API would refuse it. */
export function toShownImage(base64: string): ReadPicture | undefined {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) return undefined;
  const kind = detectFileKind(bytes.subarray(0, SNIFFED_BYTES));
  if (kind.type !== 'image') return undefined;
  return { type: 'image', mediaType: kind.mediaType, data: bytes.toString('base64') };
}
