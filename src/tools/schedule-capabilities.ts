import type { CronEntry } from '../core/time/cron-entry.js';

/** A local address at which whoever has the token gives an agent a prompt. */
export type RemoteTrigger = {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly url: string;
  /** The token stands in this file and nowhere else; only its user may read it. */
  readonly tokenFile: string;
};

/** What an agent may do with times to come. All of it ends with the agent. Rejections are `ScheduleRefusedError`s. */
export interface ScheduleCapabilities {
  /** Whether the agent stays when it has nothing to do. */
  staysOpen(): boolean;
  /** Resolves when the entry is on stable storage. */
  create(wish: Pick<CronEntry, 'cron' | 'prompt' | 'recurring'>): Promise<CronEntry>;
  /** Its own, oldest first. */
  list(): Promise<readonly CronEntry[]>;
  delete(id: string): Promise<void>;
  /** Resolves with whether mail has ended it early; rejects with the signal's reason. */
  sleep(toolUseId: string, ms: number, signal: AbortSignal): Promise<{ readonly isWoken: boolean }>;
  /** Epoch ms at which a sleep under way ends at the latest. */
  sleepsUntil(toolUseId: string): number | undefined;
  /** Resolves when it takes requests. */
  openTrigger(wish: Pick<RemoteTrigger, 'name' | 'prompt'>): Promise<RemoteTrigger>;
  triggers(): readonly RemoteTrigger[];
  closeTrigger(id: string): void;
}
