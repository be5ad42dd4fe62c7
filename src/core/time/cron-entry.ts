import { z } from 'zod';
import { AgentId } from '../ids.js';

/** A prompt that an agent gets at times to come. It ends with its agent's task. */
export const CronEntry = z.object({
  id: z.string().regex(/^cron-[0-9a-z]{8}$/),
  /** Who made it, and gets it. */
  agentId: AgentId,
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: z.string(),
  /** IANA name of the zone that it is read in. */
  timeZone: z.string(),
  prompt: z.string(),
  /** False: it ends with its first time. */
  recurring: z.boolean(),
  /** Times are epoch ms. */
  createdAt: z.number(),
  /** The last time is not after it; absent where it comes but once. */
  expiresAt: z.number().optional(),
  nextAt: z.number(),
  /** The newest time that it came; absent before the first. */
  lastAt: z.number().optional(),
});
export type CronEntry = Readonly<z.infer<typeof CronEntry>>;

/** Names the envelope of one time, so that none is brought twice. */
export function envelopeIdOf(id: string, at: number): string {
  return `${id}@${at}`;
}

/** The entry after its time has come; undefined where that was the last one. */
export function afterTime(entry: CronEntry, nextAt: number | undefined): CronEntry | undefined {
  const { recurring, expiresAt = Infinity } = entry;
  if (!recurring || nextAt === undefined || nextAt > expiresAt) return undefined;
  return { ...entry, lastAt: entry.nextAt, nextAt };
}
