/** The first try and seven more. */
export const MAX_MODEL_TRIES = 8;

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** A server that asks for a longer pause is asked again after this one: a wait stays one that a person can watch. */
export const LONGEST_RETRY_AFTER_MS = 60_000;
const JITTER = 0.25;

/**
 * How long to wait before the next try, or undefined where none is left. Without a word from the server the delay
 * doubles from 0.5 s to 8 s, less up to a quarter. A server's `retryAfterMs` counts instead where it is longer, plus up to
 * a quarter (many agents must not return in the same instant), never more than 60 s.
 *
 * @param failedTries how many tries have failed so far, from 1.
 * @param random in [0, 1).
 */
export function retryDelayMs(
  failedTries: number,
  retryAfterMs: number | undefined,
  random: number,
): number | undefined {
  if (failedTries >= MAX_MODEL_TRIES) return undefined;
  const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failedTries - 1));
  const asked = Math.min(LONGEST_RETRY_AFTER_MS, (retryAfterMs ?? 0) * (1 + JITTER * random));
  return Math.max(delayMs * (1 - JITTER * random), asked);
}
