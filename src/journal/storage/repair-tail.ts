import { closeSync, existsSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { z } from 'zod';
import { readAt } from './read-at.js';

const FIRST_LOOK_BYTES = 16_384;
const NEWLINE = 0x0a;

/**
 * Cut off a last line that was being written when the process died, so that the next line begins a new one.
 *
 * @returns the uuid of the present last line; null if there is none, or if it is not a journal line
 */
export function repairTail(file: string): string | null {
  if (!existsSync(file)) return null; // the file is new
  const descriptor = openSync(file, 'r+');
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) return null;
    for (let length = FIRST_LOOK_BYTES; ; length *= 4) {
      const start = Math.max(0, size - length);
      const tail = readAt(descriptor, start, size - start);
      const end = tail.lastIndexOf(NEWLINE);
      const before = end <= 0 ? -1 : tail.lastIndexOf(NEWLINE, end - 1);
      if ((end === -1 || before === -1) && start > 0) continue; // the line begins before this part
      if (start + end + 1 < size) ftruncateSync(descriptor, start + end + 1);
      return uuidOf(tail.toString('utf8', before + 1, end + 1));
    }
  } finally {
    closeSync(descriptor);
  }
}

const Line = z.looseObject({ uuid: z.string() });

function uuidOf(line: string): string | null {
  try {
    return Line.safeParse(JSON.parse(line)).data?.uuid ?? null;
  } catch {
    return null; // the resume has read the file, and would have reported this
  }
}
