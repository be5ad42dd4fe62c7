import { describe, expect, it } from 'vitest';
import { describeTime, timeZoneOf } from '../../../src/core/time/zoned-time.js';

describe('timeZoneOf', () => {
  it('is the zone that the environment names', () => {
    expect(timeZoneOf({ TZ: 'Europe/Berlin' })).toBe('Europe/Berlin');
  });

  it.each([undefined, ':/etc/localtime', 'CET-1CEST,M3.5.0', ''])(
    "is the system's if TZ is %j",
    (TZ) => {
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
      expect(timeZoneOf({ TZ })).toBe(timeZone);
    },
  );
});

it('describeTime shows what a clock in the zone shows', () => {
  const at = Date.UTC(2030, 2, 31, 1);
  expect(describeTime(at - 1, 'Europe/Berlin')).toBe('2030-03-31 01:59');
  expect(describeTime(at, 'Europe/Berlin')).toBe('2030-03-31 03:00');
});
