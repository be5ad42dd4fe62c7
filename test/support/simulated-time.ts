import { SimulatedClock } from 'xstate';
import type { SessionHandle } from '../../src/actors/contract/handles.js';

/** Time that passes only when a test advances it. */
export function createSimulatedTime(start = Date.UTC(2030, 0, 1)) {
  const clock = new SimulatedClock();
  return {
    clock,
    now: (): number => start + clock.now(),
    advance: (ms: number): void => clock.increment(ms),
  };
}

/** Lets each retry delay pass at once. @returns the delays, as they were reported */
export function skipRetryWaits(
  { events }: Pick<SessionHandle, 'events'>,
  { advance }: ReturnType<typeof createSimulatedTime>,
) {
  const retries: { status: number | undefined; delayMs: number; attempt: number }[] = [];
  events.on('agent.retry', (_origin, { status, delayMs, attempt }) => {
    retries.push({ status, delayMs, attempt });
    queueMicrotask(() => advance(delayMs + 1)); // the delay begins right after the event
  });
  return retries;
}
