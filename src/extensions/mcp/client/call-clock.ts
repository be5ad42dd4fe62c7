export type McpCallLimits = {
  /** Longest time between two signs of life, ms. */
  readonly timeoutMs: number;
  /** Longest time in all, ms, whatever progress the server reports. */
  readonly maxTotalMs: number;
};

/** The time limits of one call. They stand still while the server waits for a person or a model. */
export interface CallClock {
  /** Aborts when a limit has passed. */
  readonly signal: AbortSignal;
  /** The limit that has passed; undefined if none has. */
  readonly expired: 'timeout' | 'maxTotalTimeout' | undefined;
  /** The server has given a sign of life. */
  touch(): void;
  /** @returns a function that lets the time run again */
  pause(): () => void;
  stop(): void;
}

export function createCallClock({ timeoutMs, maxTotalMs }: McpCallLimits): CallClock {
  const controller = new AbortController();
  let expired: CallClock['expired'];
  let idle: NodeJS.Timeout | undefined;
  let total: NodeJS.Timeout | undefined;
  let leftMs = maxTotalMs;
  let since = 0;
  let pauses = 0;

  const end = (limit: 'timeout' | 'maxTotalTimeout'): void => {
    expired = limit;
    controller.abort();
  };
  const touch = (): void => {
    clearTimeout(idle);
    if (pauses === 0) idle = setTimeout(end, timeoutMs, 'timeout');
  };
  const run = (): void => {
    since = performance.now();
    total = setTimeout(end, leftMs, 'maxTotalTimeout');
    touch();
  };
  const halt = (): void => {
    clearTimeout(idle);
    clearTimeout(total);
  };

  run();
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    touch,
    pause() {
      if (pauses === 0) {
        halt();
        leftMs = Math.max(0, leftMs - (performance.now() - since));
      }
      pauses += 1;
      return () => {
        pauses -= 1;
        if (pauses === 0) run();
      };
    },
    stop() {
      pauses += 1; // nothing starts it again
      halt();
    },
  };
}
