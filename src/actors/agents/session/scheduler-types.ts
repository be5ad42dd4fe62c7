import type { AnyActorLogic } from 'xstate';
import type { CronEntry } from '../../../core/time/cron-entry.js';
import type { AgentId } from '../../../core/ids.js';
import type { JournalLines, SessionFiles } from '../../../journal/journal.js';
import type { RemoteTrigger } from '../../../tools/capabilities/schedule-capabilities.js';

/** The scheduled prompts of agents. The scheduler loads no code and starts no actor before the first entry. */
export interface Scheduler {
  /** The logic of the scheduler's actor, read when the actor opens. */
  logic(): AnyActorLogic;
  create(
    agentId: AgentId,
    wish: Pick<CronEntry, 'cron' | 'prompt' | 'recurring'>,
  ): Promise<CronEntry>;
  /** Resolve with the agent's entries, oldest first. */
  list(agentId: AgentId): Promise<readonly CronEntry[]>;
  delete(agentId: AgentId, id: string): Promise<void>;
  /**
   * Give a resumed agent the entries that it had.
   *
   * @throws JournalDamagedError
   */
  restore(session: { readonly journal: JournalLines & SessionFiles }, agentId: AgentId): void;
  /** Drop the entries of an agent that has ended. */
  forget(
    session: { readonly journal: JournalLines & SessionFiles },
    agent: { readonly id: AgentId; readonly depth: number },
  ): void;
}

/** Addresses at which agents of a tree take prompts from outside. The port is open only while one exists. */
export interface RemoteTriggers {
  /** @throws ScheduleRefusedError */
  open(agentId: AgentId, wish: Pick<RemoteTrigger, 'name' | 'prompt'>): Promise<RemoteTrigger>;
  list(agentId: AgentId): readonly RemoteTrigger[];
  /** @throws ScheduleRefusedError */
  delete(agentId: AgentId, id: string): void;
  /** Close the addresses of an agent that has ended. */
  forget(agentId: AgentId): void;
  /** All open addresses, with the time of their opening. */
  all(): readonly (RemoteTrigger & { readonly agentId: AgentId; readonly openedAt: number })[];
  /** Resolve when the port is closed. */
  close(): Promise<void>;
}
