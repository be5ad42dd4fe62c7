/** A rate limit of the account was reached. */
export type RateLimitMessage = {
  /** Which limit, and until when if the endpoint reports it, in words for a person. */
  readonly message: string;
  /** `warning`: the agent waits and tries again. `error`: it does not try again. */
  readonly severity: 'warning' | 'error';
  /** The time of the reset, epoch ms; absent if the endpoint does not report it. */
  readonly resetsAt?: number;
};

/** The headers of a refused request about its limits. */
export type RateLimit = {
  /** The limits that are used up: `requests`, `input tokens`; empty if the headers do not name them. */
  readonly usedUp: readonly string[];
  /** The time of the reset, epoch ms. */
  readonly resetsAt?: number;
};

const PREFIX = 'anthropic-ratelimit-';
const KINDS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;

export function readRateLimit(header: (name: string) => string | undefined): RateLimit {
  const usedUp = KINDS.filter((kind) => header(`${PREFIX}${kind}-remaining`)?.trim() === '0');
  const resets = [
    secondsOf(header(`${PREFIX}unified-reset`)),
    ...usedUp.map((kind) => Date.parse(header(`${PREFIX}${kind}-reset`) ?? '')),
  ].filter((at) => at > 0);
  return {
    usedUp: usedUp.map((kind) => kind.replace('-', ' ')),
    ...(resets.length === 0 ? {} : { resetsAt: Math.max(...resets) }),
  };
}

/** A message of a sentence or two: which limit, until when, and what happens next. */
export function toRateLimitMessage(
  { usedUp, resetsAt }: RateLimit,
  retryDelayMs: number | undefined,
): RateLimitMessage {
  const what = usedUp.length === 0 ? '' : ` (${usedUp.join(', ')})`;
  const until = toTime(resetsAt);
  const next =
    retryDelayMs === undefined
      ? 'Troupe does not try again.'
      : `Troupe tries again in ${(retryDelayMs / 1_000).toFixed(1)} s.`;
  return {
    message: `The model's rate limit is reached${what}.${until} ${next}`,
    severity: retryDelayMs === undefined ? 'error' : 'warning',
    ...(resetsAt === undefined || until === '' ? {} : { resetsAt }),
  };
}

/** An impossible time is left out. */
function toTime(at: number | undefined): string {
  const date = new Date(at ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? '' : ` It resets at ${date.toISOString()}.`;
}

/** Epoch seconds as ms. */
function secondsOf(text: string | undefined): number {
  return text === undefined ? Number.NaN : Number(text) * 1_000;
}
