import { describe, expect, it } from 'vitest';
import { classifyModelError } from '../../../src/model/errors/model-error.js';
import { readRateLimit, toRateLimitMessage } from '../../../src/model/errors/rate-limit.js';

const NOON = Date.UTC(2030, 0, 1, 12);
const readHeaders = (headers: Readonly<Record<string, string>>) =>
  readRateLimit((name) => headers[name]);

describe('the headers of a call that was one too many', () => {
  it.each([
    ['say nothing', {}, { usedUp: [] }],
    [
      'name what is used up, and when it is filled again',
      {
        'anthropic-ratelimit-requests-remaining': '12',
        'anthropic-ratelimit-requests-reset': '2030-01-01T11:00:00Z',
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2030-01-01T12:00:00Z',
      },
      { usedUp: ['input tokens'], resetsAt: NOON },
    ],
    [
      'name the time of the limit that is open last',
      {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-reset': String(NOON / 1_000),
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2030-01-01T11:00:00Z',
      },
      { usedUp: ['requests'], resetsAt: NOON },
    ],
    [
      'cannot be read',
      {
        'anthropic-ratelimit-unified-reset': 'soon',
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': 'later',
      },
      { usedUp: ['tokens'] },
    ],
  ])('%s', (_, headers, limit) => {
    expect(readHeaders(headers)).toEqual(limit);
  });

  it('are read of the error', () => {
    const headers = new Headers({ 'anthropic-ratelimit-requests-remaining': '0' });
    const error = Object.assign(new Error('slow down'), { status: 429, headers });
    expect(classifyModelError(error)).toMatchObject({
      code: 'MODEL_RATE_LIMITED',
      rateLimit: { usedUp: ['requests'] },
    });
  });
});

describe('what people read about a rate limit', () => {
  it.each([
    [
      { usedUp: ['requests', 'tokens'], resetsAt: NOON },
      7_250,
      {
        message:
          "The model's rate limit is reached (requests, tokens). It resets at 2030-01-01T12:00:00.000Z. Troupe tries again in 7.3 s.",
        severity: 'warning',
        resetsAt: NOON,
      },
    ],
    [
      { usedUp: [] },
      undefined,
      {
        message: "The model's rate limit is reached. Troupe does not try again.",
        severity: 'error',
      },
    ],
    [
      { usedUp: [], resetsAt: 1e300 },
      0,
      {
        message: "The model's rate limit is reached. Troupe tries again in 0.0 s.",
        severity: 'warning',
      },
    ],
  ] as const)('%j', (limit, delayMs, told) => {
    expect(toRateLimitMessage(limit, delayMs)).toEqual(told);
  });
});
