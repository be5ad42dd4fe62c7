import { Cron } from 'croner';

/**
 * The first time after `after` (epoch ms) that a cron expression names; undefined if there is no such time. A time that
 * daylight saving skips in spring comes right after the change. A time that is repeated in autumn comes once, but `*`
 * matches both.
 */
export function nextTime(cron: string, timeZone: string, after: number): number | undefined {
  const dates = new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }); // paused: no timer runs
  return dates.nextRun(new Date(after))?.getTime();
}
