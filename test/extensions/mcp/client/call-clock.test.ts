import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCallClock } from '../../../../src/extensions/mcp/client/call-clock.js';

describe('the time limits of a call', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('end it without a sign of life, and at the maximum whatever comes', () => {
    const silent = createCallClock({ timeoutMs: 100, maxTotalMs: 1_000 });
    vi.advanceTimersByTime(100);
    expect([silent.expired, silent.signal.aborted]).toEqual(['timeout', true]);
    const busy = createCallClock({ timeoutMs: 100, maxTotalMs: 1_000 });
    for (let ms = 0; ms < 1_000; ms += 90) {
      vi.advanceTimersByTime(90);
      busy.touch();
    }
    expect(busy.expired).toBe('maxTotalTimeout');
  });

  it('stand still while the server waits for somebody', () => {
    const clock = createCallClock({ timeoutMs: 100, maxTotalMs: 1_000 });
    vi.advanceTimersByTime(90);
    const first = clock.pause();
    const second = clock.pause();
    vi.advanceTimersByTime(10_000);
    clock.touch();
    first();
    vi.advanceTimersByTime(10_000);
    expect(clock.expired).toBeUndefined();
    second();
    vi.advanceTimersByTime(99);
    expect(clock.expired).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(clock.expired).toBe('timeout');
  });

  it('end nothing that is over', () => {
    const clock = createCallClock({ timeoutMs: 100, maxTotalMs: 1_000 });
    const resume = clock.pause();
    clock.stop();
    resume();
    vi.advanceTimersByTime(10_000);
    expect(clock.expired).toBeUndefined();
  });
});
