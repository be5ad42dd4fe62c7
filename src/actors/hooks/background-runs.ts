/** The runs of hooks that nobody waits for. */
export interface BackgroundRuns {
  add(run: Promise<unknown>, stop: AbortController): void;
  /** Cancel all runs, and wait for their ends. */
  end(): Promise<void>;
}

export function createBackgroundRuns(): BackgroundRuns {
  const live = new Map<Promise<unknown>, AbortController>();
  return {
    add(run, stop) {
      live.set(run, stop);
      const forget = (): void => void live.delete(run);
      run.then(forget, forget);
    },
    async end() {
      const runs = [...live.keys()];
      for (const stop of live.values())
        stop.abort(new DOMException('The session has ended.', 'AbortError'));
      await Promise.allSettled(runs);
    },
  };
}
