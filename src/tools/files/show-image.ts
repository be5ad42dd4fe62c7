import type { ImageBlock } from '../../core/messages.js';
import { detectFileKind, SNIFFED_BYTES } from './file-kind.js';

/** The API takes images of 5 MB after base64. */
export const MAX_IMAGE_BYTES = 3_750_000;

/** An image that the API accepts. */
export type ShownImage = {
  readonly type: 'image';
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
};

export function imageBlock({ mediaType, data }: ShownImage): ImageBlock {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

/** Check an image in base64 by its content. Undefined if the API would refuse it. */
export function toShownImage(base64: string): ShownImage | undefined {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) return undefined;
  const kind = detectFileKind(bytes.subarray(0, SNIFFED_BYTES));
  if (kind.type !== 'image') return undefined;
  return { type: 'image', mediaType: kind.mediaType, data: bytes.toString('base64') };
}
