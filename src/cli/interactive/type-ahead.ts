import { setImmediate, setTimeout as delay } from 'node:timers/promises';

/** Without a key for so long nobody is in the middle of typing. */
export const QUIET_MS = 700;

/** Watches the keys of a terminal, so that none that was meant for something else answers a request. */
export interface TypeAhead {
  /** A key came. */
  touch(): void;
  /** Show the request although something is typed; it still waits until no key comes. */
  reveal(): void;
  readonly isWaiting: boolean;
  /**
   * Resolve when no key has come for {@link QUIET_MS} and nothing is typed.
   *
   * @param onDraft called once, if something is typed that is to be sent or cleared first
   * @throws the signal's reason
   */
  settle(signal: AbortSignal, onDraft: () => void): Promise<void>;
}

/** @param isDrafting whether something is typed and not sent */
export function createTypeAhead(isDrafting: () => boolean): TypeAhead {
  let touchedAt = -Infinity;
  let isRevealed = false;
  let wake: (() => void) | undefined;

  const nextKey = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      wake = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
    });

  return {
    touch() {
      touchedAt = performance.now();
      wake?.();
    },
    reveal() {
      isRevealed = true;
      touchedAt = performance.now();
      wake?.();
    },
    get isWaiting() {
      return wake !== undefined;
    },
    async settle(signal, onDraft) {
      let isSaid = false;
      isRevealed = false;
      for (;;) {
        signal.throwIfAborted();
        const rest = touchedAt + QUIET_MS - performance.now();
        if (isDrafting() && !isRevealed) {
          if (!isSaid) onDraft();
          isSaid = true;
          await nextKey(signal).finally(() => (wake = undefined));
        } else if (rest > 0) await delay(rest, undefined, { signal });
        else {
          const seen = touchedAt;
          await setImmediate(); // keys that lie in the terminal come before the request
          await setImmediate();
          if (touchedAt === seen && (isRevealed || !isDrafting())) return;
        }
      }
    },
  };
}
