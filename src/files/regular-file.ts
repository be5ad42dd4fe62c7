import { constants as buffers } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { UsageError } from '../core/errors.js';

const { O_APPEND, O_CREAT, O_NOCTTY, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

export const NOT_A_FILE = 'it is not a regular file';

/** Flags for opening a file that may be a pipe or a terminal: `open` does not wait for its other end. */
export const READ_AT_ONCE = O_RDONLY | O_NONBLOCK | O_NOCTTY;
const APPEND_AT_ONCE = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY;

/** Longer texts do not fit into a string. */
const MAX_BYTES = buffers.MAX_STRING_LENGTH;
const MAX_MEGABYTES = Math.floor(MAX_BYTES / 1_000_000);

/**
 * Open a file for reading, and never wait for a pipe or a terminal. The caller closes it.
 *
 * @returns the descriptor; undefined for anything but a regular file
 */
export function openRegularFile(path: string): number | undefined {
  return onlyRegular(openSync(path, READ_AT_ONCE));
}

/**
 * Open a file for appending, and make it if it is missing. Never wait for a pipe or a terminal. The caller closes it.
 *
 * @throws Error for anything but a regular file
 */
export function openToAppend(path: string, mode: number): number {
  const descriptor = onlyRegular(openPipeless(path, mode));
  if (descriptor === undefined) throw new Error(NOT_A_FILE);
  return descriptor;
}

/**
 * The text of a file; undefined for anything but a regular file.
 *
 * @throws UsageError if the file is too long for a string; it is not read then
 */
export function readRegularFile(path: string): string | undefined {
  const descriptor = openRegularFile(path);
  if (descriptor === undefined) return undefined;
  try {
    if (fstatSync(descriptor).size > MAX_BYTES)
      throw new UsageError(`The file has more than ${MAX_MEGABYTES} MB.`, { file: path });
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function onlyRegular(descriptor: number): number | undefined {
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  return undefined;
}

/** A pipe that nobody reads is refused with `ENXIO`. */
function openPipeless(path: string, mode: number): number {
  try {
    return openSync(path, APPEND_AT_ONCE, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO')
      throw new Error(NOT_A_FILE, { cause: error });
    throw error;
  }
}
