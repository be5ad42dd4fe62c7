import { setImmediate, setTimeout as delay } from 'node:timers/promises';

/** After so long without a key, nobody is typing. */
export const QUIET_MS = 700;

/** Watches the keys of a terminal, so that no key for the prompt decides a request. */
export interface TypeAhead {
  /** Note a key. */
  touch(): void;
  /** Show the request although the line has text; it still waits for a pause of the keys. */
  reveal(): void;
  readonly isWaiting: boolean;
  /**
   * Resolve when no key has come for {@link QUIET_MS} and the line is empty.
   *
   * @param onDraft called once, if the line has text that must be sent or cleared first
   * @throws the signal's reason
   */
  settle(signal: AbortSignal, onDraft: () => void): Promise<void>;
}

/** @param isDrafting whether the line has text */
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
          await setImmediate(); // keys that the terminal already has come before the request
          await setImmediate();
          if (touchedAt === seen && (isRevealed || !isDrafting())) return;
        }
      }
    },
  };
}
