import type { CronEntry } from '../../core/time/cron-entry.js';

/** A trigger endpoint: an HTTP address of this machine at which a client with the token gives an agent a prompt. */
export type RemoteTrigger = {
  /** For `closeTrigger`. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** Text that the agent gets with each request. */
  readonly prompt: string;
  /** Address for POST requests. */
  readonly url: string;
  /** The file with the token, which is nowhere else. Only its user may read the file. */
  readonly tokenFile: string;
};

/** The scheduler for one agent. All entries end with the agent. Rejections are `ScheduleRefusedError`s. */
export interface ScheduleCapabilities {
  /** Whether the agent stays when it has nothing to do. */
  staysOpen(): boolean;
  /** Resolves when the entry is on stable storage. */
  create(wish: Pick<CronEntry, 'cron' | 'prompt' | 'recurring'>): Promise<CronEntry>;
  /** The agent's entries, oldest first. */
  list(): Promise<readonly CronEntry[]>;
  /** End an entry. Resolve when that is on stable storage. */
  delete(id: string): Promise<void>;
  /** Wait. Reject with the signal's reason when it aborts. */
  sleep(toolUseId: string, ms: number, signal: AbortSignal): Promise<SleepEnd>;
  /** The latest end of a running sleep, in epoch ms. */
  sleepsUntil(toolUseId: string): number | undefined;
  /** Resolve when the address accepts requests. */
  openTrigger(wish: Pick<RemoteTrigger, 'name' | 'prompt'>): Promise<RemoteTrigger>;
  /** The agent's open trigger endpoints. */
  triggers(): readonly RemoteTrigger[];
  /** Close a trigger endpoint: it takes no more requests. */
  closeTrigger(id: string): void;
}

/** How a sleep ended. */
type SleepEnd = {
  /** Whether a message has ended it early. */
  readonly isWoken: boolean;
};
