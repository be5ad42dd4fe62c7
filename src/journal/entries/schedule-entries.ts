import { z } from 'zod';
import { CronEntry } from '../../core/time/cron-entry.js';
import { AgentId } from '../../core/ids.js';

/** Lines of `schedule.jsonl`: the scheduled prompts of a session's agents. */
const head = { timestamp: z.number() };

export const ScheduleEntry = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('cron.created'), entry: CronEntry, ...head }),
    /** The time of an entry has come, and it has a new one. */
    z.object({
      type: z.literal('cron.came'),
      id: z.string(),
      nextAt: z.number(),
      lastAt: z.number().optional(),
      ...head,
    }),
    /** The last time of an entry has come, it was deleted, has expired, or its sub-agent has ended. */
    z.object({ type: z.literal('cron.ended'), id: z.string(), ...head }),
    /** A remote trigger: it ends with its process. */
    z.object({
      type: z.literal('trigger.opened'),
      id: z.string(),
      agentId: AgentId,
      name: z.string(),
      prompt: z.string(),
      ...head,
    }),
    z.object({ type: z.literal('trigger.closed'), id: z.string(), ...head }),
  ]),
);
export type ScheduleEntry = z.infer<typeof ScheduleEntry>;

/** The remaining entries after all lines, oldest first. */
export function toCronEntries(lines: readonly ScheduleEntry[]): readonly CronEntry[] {
  const entries = new Map<string, CronEntry>();
  for (const line of lines) {
    if (line.type === 'cron.created') entries.set(line.entry.id, line.entry);
    if (line.type === 'cron.ended') entries.delete(line.id);
    const entry = line.type === 'cron.came' ? entries.get(line.id) : undefined;
    if (line.type !== 'cron.came' || entry === undefined) continue;
    const { nextAt, lastAt = entry.lastAt } = line;
    entries.set(line.id, { ...entry, nextAt, ...(lastAt === undefined ? {} : { lastAt }) });
  }
  return [...entries.values()];
}
