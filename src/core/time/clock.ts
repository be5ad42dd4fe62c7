/** Timers that replace those of the process, such as the `SimulatedClock` of xstate. */
export interface Clock {
  /** Call back once. @returns a handle for `clearTimeout` */
  setTimeout(callback: () => void, delayMs: number): unknown;
  /** Cancel a timer. */
  clearTimeout(handle: unknown): void;
}
