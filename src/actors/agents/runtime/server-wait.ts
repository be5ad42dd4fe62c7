/** A wait that can be interrupted and repeated. */
export interface ServerWait {
  /** Resolve with the awaited value, or when the wait is interrupted; at once if there is nothing to wait for. */
  wait(): Promise<void>;
  stop(): void;
  isWaiting(): boolean;
}

export function createServerWait(awaited: Promise<unknown> | undefined): ServerWait {
  let left = awaited;
  let stop = (): void => {};
  let waiting = 0;
  const forget = (): void => {
    left = undefined;
  };
  awaited?.then(forget, () => {}); // the waiting caller handles a failure
  return {
    async wait() {
      if (left === undefined) return;
      const stopped = new Promise<void>((resolve) => {
        stop = resolve;
      });
      waiting += 1;
      await Promise.race([left, stopped]).finally(() => (waiting -= 1));
    },
    stop: () => stop(),
    isWaiting: () => waiting > 0,
  };
}
