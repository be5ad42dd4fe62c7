import type { Envelope } from '../events.js';
import type { AgentId } from '../ids.js';

/** What an agent says to whoever watches: never an input of its own, so never read back. */
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
  /** The same for each attempt of the step: an idempotency key for services outside. */
  readonly key: string;
};

/**
 * The one door through which an agent touches the world. Embedded, it is backed by JSONL files; elsewhere by an
 * engine's own journal. Run again over the same journal, finished steps answer from it and nothing happens twice.
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
  /** Whether the journal holds the result of this step: `step` would answer from it. */
  isDone(name: string): boolean;
  /** Whether an earlier run began this step, one that may do harm, and nobody knows whether it happened. */
  isBegun(name: string): boolean;
  /**
   * Everything that waits in the inbox, in order, journaled as one step even if it is nothing. It never waits for mail.
   */
  receive(name: string): readonly Envelope[];
  /** Journal at once that the agent is idle: after a restart it waits for a message. */
  rest(): void;
  /**
   * Emit an event to listeners. While steps return results from the journal, events are dropped: the earlier run has
   * emitted them.
   */
  emit(event: AgentEvent): void;
  /** The time of the newest journal entry, epoch ms: the same on every run over the same journal. */
  now(): number;
  /** Deterministic in the agent's id and the number of calls before. */
  uuid(): string;
}

/** How a step is tried. */
export type StepOptions<T> =
  /** Running it twice does no harm: a model call, a read. */
  | { readonly isHarmless: true }
  | {
      readonly isHarmless: false;
      /** Result of the step if nobody can know whether it happened. */
      readonly unknownOutcome: T;
      /** Journaled with the beginning. */
      readonly note?: unknown;
    };
