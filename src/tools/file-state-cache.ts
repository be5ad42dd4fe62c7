/** What an agent knows of a file: the content's digest and the modification time when it last read or wrote it. */
export type FileState = {
  readonly mtimeMs: number;
  readonly size: number;
  readonly digest: string;
};

/** Files that an agent has read, least recently used first out. Each agent has its own; a sub-agent starts with a copy. */
export interface FileStateCache {
  get(path: string): FileState | undefined;
  set(path: string, state: FileState): void;
  /** Paths that were used last, newest first. */
  recent(count: number): readonly string[];
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
      states.delete(path); // to the end: most recently used
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
