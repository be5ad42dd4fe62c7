import { leaveWithTerminal } from './leave-with-terminal.js';

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof EXIT_CODES;

/** How long output may wait for its reader when the work has ended. */
const WRITING_MS = 2_000;

export function exitCodeOf(signal: EndingSignal): number {
  return EXIT_CODES[signal];
}

/**
 * Call `end` at the first signal that ends the process; a second signal ends it at once. When the promise of `end`
 * has settled, the process ends within 2 seconds, even if nothing reads its output.
 *
 * @returns a function that stops listening; the process still ends in time
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
