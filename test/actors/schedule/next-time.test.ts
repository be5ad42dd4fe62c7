import { describe, expect, it } from 'vitest';
import { findCronProblem } from '../../../src/core/time/cron-expression.js';
import { nextTime } from '../../../src/actors/schedule/next-time.js';

/** The next times after one, as ISO. */
function timesOf(cron: string, timeZone: string, after: string, count: number): readonly string[] {
  const times: string[] = [];
  let at: number | undefined = Date.parse(after);
  while (times.length < count) {
    at = nextTime(cron, timeZone, at);
    if (at === undefined) break;
    times.push(new Date(at).toISOString().slice(0, 16));
  }
  return times;
}

describe('nextTime', () => {
  it('brings what the clocks skip in spring right after', () => {
    expect(timesOf('30 2 * * *', 'Europe/Berlin', '2030-03-29T12:00Z', 3)).toEqual([
      '2030-03-30T01:30',
      '2030-03-31T01:00', // 3:00 there: 2:30 does not exist
      '2030-04-01T00:30',
    ]);
  });

  it('brings once what the clocks repeat in autumn', () => {
    expect(timesOf('30 2 * * *', 'Europe/Berlin', '2030-10-26T12:00Z', 2)).toEqual([
      '2030-10-27T00:30', // the first 2:30 of that night
      '2030-10-28T01:30',
    ]);
  });

  it('brings both hours of that night if every hour is meant', () => {
    expect(timesOf('0 * * * *', 'Europe/Berlin', '2030-10-26T23:30Z', 4)).toEqual([
      '2030-10-27T00:00',
      '2030-10-27T01:00',
      '2030-10-27T02:00',
      '2030-10-27T03:00',
    ]);
  });

  it('leaves out and repeats what the clocks do if more than one time is meant', () => {
    expect(timesOf('0,30 2 * * *', 'Europe/Berlin', '2030-03-30T12:00Z', 2)).toEqual([
      '2030-04-01T00:00',
      '2030-04-01T00:30',
    ]);
    expect(timesOf('30 2-3 * * *', 'Europe/Berlin', '2030-10-26T12:00Z', 3)).toEqual([
      '2030-10-27T00:30',
      '2030-10-27T01:30', // 2:30 again
      '2030-10-27T02:30',
    ]);
  });

  it('takes a day that either field names', () => {
    expect(timesOf('0 9 1 * 1', 'UTC', '2030-11-24T12:00Z', 3)).toEqual([
      '2030-11-25T09:00',
      '2030-12-01T09:00',
      '2030-12-02T09:00',
    ]);
  });

  it('ends a week on a Sunday, too', () => {
    expect(timesOf('0 9 * * FRI-SUN', 'UTC', '2030-11-28T12:00Z', 4)).toEqual([
      '2030-11-29T09:00',
      '2030-11-30T09:00',
      '2030-12-01T09:00',
      '2030-12-06T09:00',
    ]);
  });

  it('is nothing if no such day will ever be', () => {
    expect(nextTime('0 0 31 2 *', 'UTC', Date.UTC(2030, 0, 1))).toBeUndefined();
  });

  it('reads whatever is found to be no problem', () => {
    for (const cron of [
      '0,30 9-17/2 1,15 JAN-mar *',
      '59 23 31 12 7',
      ' 5\t4  * * sun ',
      '0 9 * * */7',
    ]) {
      expect(findCronProblem(cron)).toBeUndefined();
      expect(nextTime(cron, 'UTC', 0)).toBeGreaterThan(0);
    }
  });
});
