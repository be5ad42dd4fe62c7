import { Cron } from 'croner';

/**
 * The first time after `after` (epoch ms) that a cron expression names; undefined where there is none. A time that the
 * clocks skip in spring comes when they have; one that they repeat in autumn comes once, but `*` takes both.
 */
export function nextTime(cron: string, timeZone: string, after: number): number | undefined {
  const dates = new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }); // it waits for nothing
  return dates.nextRun(new Date(after))?.getTime();
}
