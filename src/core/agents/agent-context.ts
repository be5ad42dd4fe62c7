import type { Envelope } from '../events.js';
import type { AgentId } from '../ids.js';

/** An event of an agent for watchers. Never an input of the agent, so never read back. */
export type AgentEvent = {
  /** Name of the event, as in `SessionEvents`. */
  readonly type: string;
  /** Arguments of the listeners after the first, which is the origin. */
  readonly args: readonly unknown[];
};

/** One run of a step: its signal, and a key that is the same on every run. */
export type StepAttempt = {
  /** Aborts when the attempt is to end. */
  readonly signal: AbortSignal;
  /** The same for each attempt of the step: an idempotency key for external services. */
  readonly key: string;
};

/**
 * The step context: the one interface through which an agent has effects. JSONL files back it, or the journal of an
 * external engine. If an agent runs again over the same journal, finished steps return their journaled result and
 * nothing happens twice.
 */
export interface AgentContext {
  /** ID of the agent's conversation, for messages and `resume`. */
  readonly id: AgentId;
  /** Aborts when the agent is to end. */
  readonly signal: AbortSignal;
  /**
   * Run a step once in the life of a journal, and journal its result. Names are stable keys: `turn:12/model`,
   * `turn:12/tool:toolu_…`. A step that was begun and has no result runs again only if it `isHarmless`; otherwise it
   * resolves with `unknownOutcome`.
   */
  step<T>(
    name: string,
    run: (attempt: StepAttempt) => Promise<T>,
    options: StepOptions<T>,
  ): Promise<T>;
  /** The same for a step whose result is already known: it is journaled at once. */
  record<T>(name: string, result: T): T;
  /** Whether the journal has the result of this step, so that `step` would return it. */
  isDone(name: string): boolean;
  /** Whether an earlier run began this step, the step may do harm, and its outcome is unknown. */
  isBegun(name: string): boolean;
  /**
   * Take all messages from the mailbox, in order, journaled as one step even if there are none. Never waits for a
   * message.
   *
   * @param amend changes each message before it is journaled as taken
   */
  receive(name: string, amend?: (envelope: Envelope) => Envelope): readonly Envelope[];
  /** Journal at once that the agent is idle: after a restart it waits for a message. */
  journalIdle(): void;
  /**
   * Emit an event to listeners. While steps return results from the journal, events are dropped: the earlier run has
   * emitted them.
   */
  emit(event: AgentEvent): void;
  /** The time of the newest journal entry, epoch ms: the same on every run over the same journal. */
  now(): number;
  /** Deterministic: depends on the agent's ID and the number of earlier calls. */
  uuid(): string;
}

/** Options of a step. */
export type StepOptions<T> =
  /** A second run does no harm: a model request, a read. */
  | { readonly isHarmless: true }
  | {
      readonly isHarmless: false;
      /** Result of the step if nobody can know whether it happened. */
      readonly unknownOutcome: T;
      /** Journaled when the step begins. */
      readonly note?: unknown;
    };
