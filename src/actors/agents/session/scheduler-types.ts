import type { AnyActorLogic } from 'xstate';
import type { CronEntry } from '../../../core/time/cron-entry.js';
import type { AgentId } from '../../../core/ids.js';
import type { JournalLines, SessionFiles } from '../../../journal/journal.js';
import type { RemoteTrigger } from '../../../tools/schedule-capabilities.js';

/** What agents want to be told later. Nothing of it is loaded, and no actor started, before there is a first entry. */
export interface Scheduler {
  /** What its actor runs; asked for when that is opened. */
  logic(): AnyActorLogic;
  create(
    agentId: AgentId,
    wish: Pick<CronEntry, 'cron' | 'prompt' | 'recurring'>,
  ): Promise<CronEntry>;
  /** Resolve with the agent's entries, oldest first. */
  list(agentId: AgentId): Promise<readonly CronEntry[]>;
  delete(agentId: AgentId, id: string): Promise<void>;
  /**
   * Has an agent that goes on after an earlier process keep the entries that it had.
   *
   * @throws JournalDamagedError
   */
  restore(session: { readonly journal: JournalLines & SessionFiles }, agentId: AgentId): void;
  /** Its agent has ended: what it wanted to be told is told to nobody else. */
  forget(
    session: { readonly journal: JournalLines & SessionFiles },
    agent: { readonly id: AgentId; readonly depth: number },
  ): void;
}

/** Addresses at which agents of a tree take prompts from outside. The port is open only while there is one. */
export interface RemoteTriggers {
  /** @throws ScheduleRefusedError */
  open(agentId: AgentId, wish: Pick<RemoteTrigger, 'name' | 'prompt'>): Promise<RemoteTrigger>;
  list(agentId: AgentId): readonly RemoteTrigger[];
  /** @throws ScheduleRefusedError */
  delete(agentId: AgentId, id: string): void;
  /** Its agent has ended. */
  forget(agentId: AgentId): void;
  /** All that are open, and since when. */
  all(): readonly (RemoteTrigger & { readonly agentId: AgentId; readonly openedAt: number })[];
  /** Resolves when the port is free. */
  close(): Promise<void>;
}
