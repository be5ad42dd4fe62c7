import { readFile, stat } from 'node:fs/promises';
import { describeSystemError } from '../../core/system-error.js';
import { UsageError } from '../../core/errors.js';
import type { ReadPicture } from '../../tools/calls/read-result.js';
import { detectFileKind, SNIFFED_BYTES } from '../../tools/files/content/file-kind.js';
import { MAX_IMAGE_BYTES } from '../../tools/files/content/show-image.js';

/** An image in base64. */
export type { ReadPicture as Picture } from '../../tools/calls/read-result.js';

/**
 * Read an image of a person, by its content and not by its name.
 *
 * @throws UsageError if it cannot be read, is no image or is too large
 */
export async function readImage(path: string): Promise<ReadPicture> {
  try {
    const { size } = await stat(path);
    return size > MAX_IMAGE_BYTES ? refuse(path, size) : pictureOf(await readFile(path), path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} cannot be read: ${describeSystemError(error)}.`);
  }
}

/** @param name of the image in an error @throws UsageError if it is no image or too large */
export function pictureOf(bytes: Buffer, name: string): ReadPicture {
  const kind = detectFileKind(bytes.subarray(0, SNIFFED_BYTES));
  if (kind.type !== 'image') throw new UsageError(`${name} is no PNG, JPEG, GIF or WebP image.`);
  if (bytes.length > MAX_IMAGE_BYTES) return refuse(name, bytes.length);
  return { type: 'image', mediaType: kind.mediaType, data: bytes.toString('base64') };
}

function refuse(name: string, bytes: number): never {
  throw new UsageError(
    `${name} has ${bytes} bytes; a model takes images of at most ${MAX_IMAGE_BYTES}. Make a smaller copy.`,
  );
}
