import type { CronEntry } from '../../core/time/cron-entry.js';
import { describeTime } from '../../core/time/zoned-time.js';

/** `cron-1a2b3c4d  0 3 * * *  next 2030-03-31 03:00 (Europe/Berlin), until 2030-04-07 02:00: look at the build`. */
export function describeEntry(entry: CronEntry): string {
  const { id, cron, prompt } = entry;
  return `${id}  ${cron}  ${describeTimes(entry)}: ${prompt.replaceAll(/\s+/g, ' ')}`;
}

export function describeTimes({ timeZone, nextAt, expiresAt }: CronEntry): string {
  const end = expiresAt === undefined ? 'once' : `until ${describeTime(expiresAt, timeZone)}`;
  return `next ${describeTime(nextAt, timeZone)} (${timeZone}), ${end}`;
}
