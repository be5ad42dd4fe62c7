import { closeSync, openSync } from 'node:fs';

/** Half of the usual limit of a process is left to everything else. */
const MAX_OPEN_FILES = 384;

/** Files kept open for appending, however many journals use them: the least recently used one gives way. */
export interface FilePool {
  /** A descriptor that is good until the next call. @param path absolute; its folder exists */
  descriptorOf(path: string): number;
  close(path: string): void;
  /** Closes every file in this folder and below. */
  closeBelow(folder: string): void;
}

export function createFilePool(maxOpenFiles = MAX_OPEN_FILES): FilePool {
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
        descriptors.delete(path); // to the end: most recently used
        descriptors.set(path, known);
        return known;
      }
      if (descriptors.size >= maxOpenFiles) close(descriptors.keys().next().value as string); // it is full
      const descriptor = openSync(path, 'a', 0o600);
      descriptors.set(path, descriptor);
      return descriptor;
    },
    close,
    closeBelow(folder) {
      for (const path of descriptors.keys()) if (path.startsWith(`${folder}/`)) close(path);
    },
  };
}
