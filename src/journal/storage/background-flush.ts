/** Delay of a flush in the background, in ms, unless hundreds of files have changed. */
export const FLUSH_AFTER_MS = 100;

/**
 * The pause after a pass over changed files, as a multiple of the duration of the pass: flushing stays in the
 * background.
 */
const SHARE = 9;

/** Flushes files to stable storage soon. */
export interface BackgroundFlush {
  add(file: string): void;
  /** Begin no further pass. */
  stop(): void;
}

/**
 * @param sync reports its failures itself
 * @param isOver whether nothing can be flushed any more
 */
export function createBackgroundFlush(
  sync: (file: string) => Promise<void>,
  isOver: () => boolean,
): BackgroundFlush {
  const unflushed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const plan = (afterMs: number): void => {
    timer ??= setTimeout(() => void flushAll(), afterMs).unref();
  };
  const flushAll = async (): Promise<void> => {
    const startedAt = performance.now();
    const changed = [...unflushed];
    unflushed.clear();
    for (const file of changed) {
      if (isOver()) return;
      await sync(file).catch(() => {}); // already reported
    }
    timer = undefined;
    if (unflushed.size > 0) plan(FLUSH_AFTER_MS + SHARE * (performance.now() - startedAt));
  };
  return {
    add(file) {
      unflushed.add(file);
      plan(FLUSH_AFTER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
