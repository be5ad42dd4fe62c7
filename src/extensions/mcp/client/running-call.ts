import type { ServerRequests } from '../../../tools/capabilities/server-requests.js';
import type { CallClock } from './call-clock.js';

/** A call that runs on a server. */
export type RunningCall = {
  readonly requests: ServerRequests | undefined;
  readonly clock: CallClock;
  /** Aborts when the call is to end. */
  readonly signal: AbortSignal;
  /** Called if nobody answered a question, with the reason. */
  readonly onUnanswered: (reason: string) => void;
  /** Number of requests of the server. */
  asked: number;
};

/** A call that asks for more than this does not end by itself. */
const MOST_REQUESTS = 50;

/** Answer a request of the server while the time limits of its call stand still. */
export async function whilePaused<Result>(
  call: RunningCall,
  run: () => Promise<Result>,
): Promise<Result> {
  call.asked += 1;
  const resume = call.clock.pause();
  try {
    return await run();
  } finally {
    resume();
  }
}

/** Why a call may not ask again. */
export function problemOfCall(call: RunningCall | undefined): string | undefined {
  return call !== undefined && call.asked >= MOST_REQUESTS
    ? `The server has asked ${MOST_REQUESTS} times in one call.`
    : undefined;
}
