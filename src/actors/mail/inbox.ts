import type { Envelope } from '../../core/events.js';

/** What waits for one agent, in order of arrival. Everything in it is already on disk. */
export interface Inbox {
  readonly size: number;
  put(envelope: Envelope): void;
  /** All of it; empty afterwards. */
  take(): readonly Envelope[];
  /** Whether an envelope waits. */
  has(id: string): boolean;
  /** Resolves when something waits; rejects with the signal's reason. */
  arrival(signal: AbortSignal): Promise<void>;
}

export function createInbox(): Inbox {
  let waiting: Envelope[] = [];
  const wakers = new Set<() => void>();
  return {
    get size() {
      return waiting.length;
    },
    put(envelope) {
      waiting.push(envelope);
      for (const wake of wakers) wake();
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    has: (id) => waiting.some((envelope) => envelope.id === id),
    arrival: (signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        if (waiting.length > 0) return resolve();
        const settle = (finish: () => void) => (): void => {
          wakers.delete(wake);
          signal.removeEventListener('abort', stop);
          finish();
        };
        const wake = settle(resolve);
        const stop = settle(() => reject(signal.reason as Error));
        wakers.add(wake);
        signal.addEventListener('abort', stop, { once: true });
      }),
  };
}
