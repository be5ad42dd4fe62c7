/** The scheduling data of one tool call of the current turn. Lists are in the order of the model's reply. */
export type ScheduledCall = {
  readonly id: string;
  /** The call may run in parallel with other safe calls. */
  readonly isSafe: boolean;
  /** Shell calls depend on each other: an error of one cancels the others of the same turn. */
  readonly isShell: boolean;
  /** The effect of a new user message on the running call. */
  readonly onInterrupt: 'cancel' | 'block';
  readonly phase: 'queued' | 'started' | 'settled' | 'yielded';
};

/**
 * Return the calls that may start now. A call may start if nothing runs, or if it and all running calls are safe. The
 * queue never overtakes a waiting unsafe call.
 */
export function startableCalls(calls: readonly ScheduledCall[]): readonly string[] {
  const startable: string[] = [];
  let running = 0;
  let isAllSafe = true;
  for (const call of calls) {
    if (call.phase !== 'started') continue;
    running += 1;
    isAllSafe &&= call.isSafe;
  }
  for (const call of calls) {
    if (call.phase !== 'queued') continue;
    if (running > 0 && !(call.isSafe && isAllSafe)) break;
    startable.push(call.id);
    running += 1;
    isAllSafe &&= call.isSafe;
  }
  return startable;
}

/** Return the settled calls whose results may be published now: a result waits for those of all earlier calls. */
export function yieldableCalls(calls: readonly ScheduledCall[]): readonly string[] {
  const yieldable: string[] = [];
  for (const call of calls) {
    if (call.phase === 'yielded') continue;
    if (call.phase !== 'settled') break;
    yieldable.push(call.id);
  }
  return yieldable;
}

export function withPhase<C extends ScheduledCall>(
  calls: readonly C[],
  ids: readonly string[],
  phase: ScheduledCall['phase'],
): readonly C[] {
  if (ids.length === 0) return calls;
  return calls.map((call) => (ids.includes(call.id) ? { ...call, phase } : call));
}
