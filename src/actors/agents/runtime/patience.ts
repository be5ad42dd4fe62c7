/** A wait that can be given up, and taken up again. */
export interface Patience {
  /** Resolves with what is waited for, or when it is told to stop. At once where there is nothing to wait for. */
  wait(): Promise<void>;
  stop(): void;
  readonly isWaiting: boolean;
}

export function createPatience(awaited: Promise<unknown> | undefined): Patience {
  let rest = awaited;
  let stop = (): void => {};
  let waiting = 0;
  const forget = (): void => {
    rest = undefined;
  };
  awaited?.then(forget, () => {}); // who waits is told of a failure
  return {
    async wait() {
      if (rest === undefined) return;
      const stopped = new Promise<void>((resolve) => {
        stop = resolve;
      });
      waiting += 1;
      await Promise.race([rest, stopped]).finally(() => (waiting -= 1));
    },
    stop: () => stop(),
    get isWaiting() {
      return waiting > 0;
    },
  };
}
