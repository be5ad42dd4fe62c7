/**
 * The state in which an agent knows a file: digest of the content and modification time when it last read or wrote the
 * file.
 */
export type FileState = {
  /** When the file was modified, epoch ms. */
  readonly mtimeMs: number;
  /** Bytes of the file. */
  readonly size: number;
  /** Hash of the content: an equal one means that the file is unchanged. */
  readonly digest: string;
};

/**
 * Files that an agent has read; the least recently used is dropped first. Each agent has its own cache; a sub-agent
 * starts with a copy.
 */
export interface FileStateCache {
  /** Return the state of a file, by absolute path; undefined if the agent has not read it. */
  get(path: string): FileState | undefined;
  /** Record that the agent has read or written a file. */
  set(path: string, state: FileState): void;
  /** Paths that were used last, newest first. */
  recent(count: number): readonly string[];
  /** Make a copy that changes independently. */
  clone(): FileStateCache;
}

export function createFileStateCache(
  maxEntries = 1_000,
  entries: Iterable<readonly [string, FileState]> = [],
): FileStateCache {
  const states = new Map(entries);
  return {
    get(path) {
      const state = states.get(path);
      if (state === undefined) return undefined;
      states.delete(path); // moves to the end: most recently used
      states.set(path, state);
      return state;
    },
    set(path, state) {
      states.delete(path);
      states.set(path, state);
      if (states.size > maxEntries) states.delete(states.keys().next().value as string);
    },
    recent: (count) => [...states.keys()].slice(-count).reverse(),
    clone: () => createFileStateCache(maxEntries, states),
  };
}
