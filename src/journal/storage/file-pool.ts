import { closeSync, readFileSync } from 'node:fs';
import { openToAppend } from '../../files/regular-file.js';

/** For the usual limit of 1,024. */
const USUAL_OPEN_FILES = 384;
const MOST_OPEN_FILES = 4_096;

/** Files kept open for appending, for any number of journals: the least recently used one is closed first. */
export interface FilePool {
  /** Return a descriptor that is valid until the next call. @param path absolute; its folder exists */
  descriptorOf(path: string): number;
  close(path: string): void;
}

export function createFilePool(maxOpenFiles = fairShare()): FilePool {
  const descriptors = new Map<string, number>();

  const close = (path: string): void => {
    const descriptor = descriptors.get(path);
    if (descriptor === undefined) return;
    descriptors.delete(path);
    closeSync(descriptor);
  };

  return {
    descriptorOf(path) {
      const known = descriptors.get(path);
      if (known !== undefined) {
        descriptors.delete(path); // moves to the end: most recently used
        descriptors.set(path, known);
        return known;
      }
      if (descriptors.size >= maxOpenFiles) close(descriptors.keys().next().value as string); // the pool is full
      const descriptor = openToAppend(path, 0o600);
      descriptors.set(path, descriptor);
      return descriptor;
    },
    close,
  };
}

/** More than half of the process's limit is left for other uses. */
function fairShare(): number {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return USUAL_OPEN_FILES; // not Linux
  }
  const [, limit] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  if (limit === undefined) return USUAL_OPEN_FILES;
  return Math.min(MOST_OPEN_FILES, Math.floor(Number(limit) * (3 / 8)));
}
