/** The first attempt and seven more. */
export const MAX_MODEL_TRIES = 8;

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** Longest delay, also if the server asks for a longer one. */
export const LONGEST_RETRY_AFTER_MS = 60_000;
const JITTER = 0.25;

/**
 * Return the delay before the next attempt, or undefined if none is left. Without a time from the server the delay
 * doubles from 0.5 s to 8 s, less up to a quarter. A longer `retryAfterMs` of the server replaces it, plus up to a
 * quarter (many agents must not return in the same instant), never more than 60 s.
 *
 * @param failedTries number of failed attempts so far, from 1.
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
