import { leaveWithTerminal } from './leave-with-terminal.js';

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof EXIT_CODES;

/** How long what still waits to be written may take when the work has ended: perhaps nobody reads it. */
const WRITING_MS = 2_000;

export function exitCodeOf(signal: EndingSignal): number {
  return EXIT_CODES[signal];
}

/**
 * Calls `end` at the first signal that asks the process to end; a second one ends it at once. When the promise of `end`
 * has settled, the process ends within 2 seconds, whether or not its output is read.
 *
 * @returns how to stop listening; the end of the process stays bounded
 */
export function onEndingSignals(end: (signal: EndingSignal) => Promise<unknown>): () => void {
  let first: EndingSignal | undefined;
  const take = (signal: EndingSignal): void => {
    if (first !== undefined) leave(signal);
    first = signal;
    const leaveSoon = (): void => void setTimeout(leave, WRITING_MS, signal).unref();
    end(signal).then(leaveSoon, leaveSoon);
  };
  const signals = Object.keys(EXIT_CODES) as EndingSignal[]; // the object's own keys
  for (const signal of signals) process.on(signal, take);
  return () => {
    for (const signal of signals) process.off(signal, take);
  };
}

function leave(signal: EndingSignal): never {
  leaveWithTerminal();
  process.exit(exitCodeOf(signal));
}
