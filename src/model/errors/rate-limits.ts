import type { ModelErrorClass } from './model-error.js';
import { LONGEST_RETRY_AFTER_MS } from './retry-policy.js';

/**
 * Rate limits apply to an account, not to an agent: one refused request holds back the requests of all agents to that
 * model.
 */
export interface RateLimits {
  /**
   * Note a failed request to this model: the next one is held back until the time of the API, at most a minute. Without
   * a time, nothing is held back.
   */
  note(model: string, error: Pick<ModelErrorClass, 'rateLimit' | 'retryAfterMs'>): void;
  /** The time until which requests to this model are held back, epoch ms; undefined if they are not. */
  until(model: string): number | undefined;
  /**
   * Resolve when requests to this model may be made, at once if none are held back; reject with the signal's reason.
   */
  pass(model: string, signal: AbortSignal): Promise<void>;
}

type Time = {
  now(): number;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
};

/** Waiting requests do not start in the same instant: they are spread over this share of the wait. */
const SPREAD = 0.1;
const LONGEST_SPREAD_MS = 2_000;

/** @param random in [0, 1) */
export function createRateLimits(
  { now, sleep }: Time,
  random: () => number = Math.random,
): RateLimits {
  const limits = new Map<string, { readonly until: number; readonly waitMs: number }>();

  const find = (model: string) => {
    const limit = limits.get(model);
    if (limit === undefined) return undefined;
    const leftMs = limit.until - now();
    if (leftMs > 0 && leftMs <= LONGEST_RETRY_AFTER_MS) return limit; // more is left if the clock was set back
    limits.delete(model);
    return undefined;
  };

  return {
    note(model, { rateLimit, retryAfterMs }) {
      if (rateLimit === undefined) return;
      const askedMs = retryAfterMs ?? (rateLimit.resetsAt ?? 0) - now();
      const waitMs = Math.min(askedMs, LONGEST_RETRY_AFTER_MS);
      const until = now() + waitMs;
      if (until > (find(model)?.until ?? now())) limits.set(model, { until, waitMs });
    },
    until: (model) => find(model)?.until,
    async pass(model, signal) {
      for (let limit = find(model); limit !== undefined; limit = find(model)) {
        const spread = Math.min(limit.waitMs * SPREAD, LONGEST_SPREAD_MS) * random();
        await sleep(limit.until - now() + spread, signal);
      }
    },
  };
}
