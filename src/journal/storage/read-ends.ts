import { closeSync, fstatSync } from 'node:fs';
import { openRegularFile } from '../../files/regular-file.js';
import { readAt } from './read-at.js';

/** Bytes of the first read at each end. */
const FIRST_LOOK_BYTES = 8_192;
/** Fewest lines of an end, if the file has them. */
const LEAST_LINES = 3;

/** The first and the last whole lines of a file. */
export type FileEnds = {
  readonly first: readonly string[];
  readonly last: readonly string[];
  /** `first` is the whole file, and so is `last`. */
  readonly isWhole: boolean;
  /** Time of the last write, epoch ms. */
  readonly writtenAt: number;
};

/**
 * Read both ends of a file of lines. A last line without its newline was being written: it is left out.
 *
 * @returns undefined for anything but a regular file
 */
export function readEnds(file: string): FileEnds | undefined {
  const descriptor = openRegularFile(file);
  if (descriptor === undefined) return undefined;
  try {
    const { size, mtimeMs: writtenAt } = fstatSync(descriptor);
    for (let length = FIRST_LOOK_BYTES; ; length *= 4) {
      if (size <= 2 * length) {
        const lines = readText(descriptor, 0, size).split('\n').slice(0, -1);
        return { first: lines, last: lines, isWhole: true, writtenAt };
      }
      const first = readText(descriptor, 0, length).split('\n').slice(0, -1);
      const last = readText(descriptor, size - length, length)
        .split('\n')
        .slice(1, -1);
      if (first.length >= LEAST_LINES && last.length >= LEAST_LINES)
        return { first, last, isWhole: false, writtenAt };
    }
  } finally {
    closeSync(descriptor);
  }
}

function readText(descriptor: number, position: number, length: number): string {
  return readAt(descriptor, position, length).toString('utf8');
}
