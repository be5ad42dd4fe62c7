import type { Envelope } from '../../core/events.js';

/** The waiting messages of one agent, in order of arrival. All of them are on disk already. */
export interface Mailbox {
  size(): number;
  /** The messages, oldest first. They stay. */
  list(): readonly Envelope[];
  put(envelope: Envelope): void;
  /** Return all messages, and empty the mailbox. */
  take(): readonly Envelope[];
  /** Whether a message with this ID waits. */
  has(id: string): boolean;
  /** Resolve when a message waits; reject with the signal's reason. */
  arrival(signal: AbortSignal): Promise<void>;
}

export function createMailbox(): Mailbox {
  let waiting: Envelope[] = [];
  const wakers = new Set<() => void>();
  return {
    size: () => waiting.length,
    list: () => waiting,
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
