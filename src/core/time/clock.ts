/** Timers of one's own, in place of the process's: `SimulatedClock` of xstate is one. */
export interface Clock {
  /** Calls back once. @returns a handle for `clearTimeout` */
  setTimeout(callback: () => void, delayMs: number): unknown;
  /** Takes a timer back. */
  clearTimeout(handle: unknown): void;
}
