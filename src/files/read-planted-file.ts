import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { describeSystemError } from '../core/system-error.js';
import { isInside } from './is-inside.js';
import { NOT_A_FILE } from './regular-file.js';

/** The content of a file, or why it cannot be used. */
export type PlantedFile =
  | {
      readonly status: 'read';
      /** After all links. */
      readonly path: string;
      /** Without a byte order mark. Invalid UTF-8 is replaced; then `isUtf8` is false. */
      readonly text: string;
      readonly isUtf8: boolean;
    }
  /** A missing file, or a folder. */
  | { readonly status: 'missing' }
  | { readonly status: 'unusable'; readonly why: string };

export type ReadPlantedOptions = {
  readonly maxBytes?: number;
  /** Folders, after all links, that the file must be in; anywhere if absent. */
  readonly roots?: readonly string[] | undefined;
};

const MAX_BYTES = 1_000_000;
const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * Read a file from an untrusted source: a repository, an archive. Never waits for a pipe or a terminal, never reads
 * more than the limit, whatever size the file claims, and opens no file outside of `roots`.
 */
export function readPlantedFile(
  path: string,
  { maxBytes = MAX_BYTES, roots }: ReadPlantedOptions = {},
): PlantedFile {
  try {
    const real = realpathSync.native(path);
    if (roots !== undefined && !roots.some((root) => isInside(real, root)))
      return { status: 'unusable', why: LEADS_OUT };
    const bytes = readBytes(real, maxBytes);
    if (bytes === undefined) return { status: 'missing' };
    return typeof bytes === 'string' ? { status: 'unusable', why: bytes } : toText(real, bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // of the file system
    if (code === 'ENOENT' || code === 'ENOTDIR') return { status: 'missing' };
    return { status: 'unusable', why: describeSystemError(error) };
  }
}

export const LEADS_OUT = 'it is a link that leads out of the project';

/** @returns why it cannot be read, in words; undefined for a folder */
function readBytes(path: string, maxBytes: number): Buffer | string | undefined {
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) return undefined;
    if (!stats.isFile()) return NOT_A_FILE;
    const tooLong = `it has more than ${maxBytes / 1_000_000} MB`;
    if (stats.size > maxBytes) return tooLong;
    const buffer = Buffer.alloc(Math.max(stats.size, LEAST_BYTES) + 1);
    let length = 0;
    for (let target = buffer; ;) {
      const count = readSync(descriptor, target, length, target.length - length, null);
      length += count;
      if (length > maxBytes) return tooLong;
      if (count === 0) return target.subarray(0, length);
      if (length === target.length) target = Buffer.concat([target], target.length * 2); // the file has grown
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Files of /proc claim to be empty. */
const LEAST_BYTES = 4_096;

function toText(path: string, bytes: Buffer): PlantedFile {
  if (bytes.includes(0)) return { status: 'unusable', why: 'it is not text' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes); // without a byte order mark
    return { status: 'read', path, text, isUtf8: true };
  } catch {
    return { status: 'read', path, text: new TextDecoder().decode(bytes), isUtf8: false };
  }
}
