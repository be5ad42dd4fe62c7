import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = constants;

/**
 * Open a file for reading, and never wait for a pipe or a terminal. The caller closes it.
 *
 * @returns the descriptor; undefined for anything but a regular file
 */
export function openRegularFile(path: string): number | undefined {
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  return undefined;
}

/** The text of a file; undefined for anything but a regular file. */
export function readRegularFile(path: string): string | undefined {
  const descriptor = openRegularFile(path);
  if (descriptor === undefined) return undefined;
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
