import { z } from 'zod';
import { AgentId } from '../ids.js';

/** A scheduled prompt of an agent. It ends with the agent's task. */
export type CronEntry = {
  /** `cron-` and 8 characters. */
  readonly id: string;
  /** The agent that made the entry and gets the prompt. */
  readonly agentId: AgentId;
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /** IANA name of the time zone of `cron`, such as `Europe/Brussels`. */
  readonly timeZone: string;
  /** Text that the agent gets each time. */
  readonly prompt: string;
  /** False: the entry ends with its first time. */
  readonly recurring: boolean;
  /** When the entry was made, epoch ms. */
  readonly createdAt: number;
  /** Latest time of the entry, epoch ms; absent if it comes only once. */
  readonly expiresAt?: number | undefined;
  /** When the prompt comes next, epoch ms. */
  readonly nextAt: number;
  /** When the prompt came last, epoch ms; absent before the first time. */
  readonly lastAt?: number | undefined;
};
export const CronEntry = z.object({
  id: z.string().regex(/^cron-[0-9a-z]{8}$/),
  agentId: AgentId,
  cron: z.string(),
  timeZone: z.string(),
  prompt: z.string(),
  recurring: z.boolean(),
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  nextAt: z.number(),
  lastAt: z.number().optional(),
}) satisfies z.ZodType<CronEntry>;

/** The ID of the message for one time, so that no time is sent twice. */
export function envelopeIdOf(id: string, at: number): string {
  return `${id}@${at}`;
}

/** The entry after its time has come; undefined if that was the last time. */
export function afterTime(entry: CronEntry, nextAt: number | undefined): CronEntry | undefined {
  const { recurring, expiresAt = Infinity } = entry;
  if (!recurring || nextAt === undefined || nextAt > expiresAt) return undefined;
  return { ...entry, lastAt: entry.nextAt, nextAt };
}
