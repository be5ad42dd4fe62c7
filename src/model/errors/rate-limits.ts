import type { ModelErrorClass } from './model-error.js';
import { LONGEST_RETRY_AFTER_MS } from './retry-policy.js';

/** Rate limits hold for an account, not for an agent: one refused call holds back the calls of all to that model. */
export interface RateLimits {
  /**
   * A call to this model has failed: the next is held back until the time that the API has said, at most a minute. Where it
   * has said none, nothing is held back.
   */
  note(model: string, error: Pick<ModelErrorClass, 'rateLimit' | 'retryAfterMs'>): void;
  /** Until when calls to this model are held back, epoch ms; undefined where they are not. */
  until(model: string): number | undefined;
  /** Resolves when calls to this model may be made, at once where nothing holds them back; rejects with the signal's reason. */
  pass(model: string, signal: AbortSignal): Promise<void>;
}

type Time = {
  now(): number;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
};

/** Those who waited do not come back in the same instant: each a part of the wait later, at most this long. */
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
    if (leftMs > 0 && leftMs <= LONGEST_RETRY_AFTER_MS) return limit; // more is left where the clock was set back
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
