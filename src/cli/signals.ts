const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof EXIT_CODES;

export function exitCodeOf(signal: EndingSignal): number {
  return EXIT_CODES[signal];
}

/**
 * Calls `end` at the first signal that asks the process to end; a second one ends it at once.
 *
 * @returns how to stop listening
 */
export function onEndingSignals(end: (signal: EndingSignal) => void): () => void {
  let first: EndingSignal | undefined;
  const take = (signal: EndingSignal): void => {
    if (first !== undefined) process.exit(exitCodeOf(signal));
    first = signal;
    end(signal);
  };
  const signals = Object.keys(EXIT_CODES) as EndingSignal[]; // the object's own keys
  for (const signal of signals) process.on(signal, take);
  return () => {
    for (const signal of signals) process.off(signal, take);
  };
}
