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
  /** ID of the agent. */
  readonly id: AgentId;
  /** Aborts when the agent is to end. */
  readonly signal: AbortSignal;
  /**
   * Runs once in the life of a journal and journals its result. Names are stable keys: `turn:12/model`,
   * `turn:12/tool:toolu_…`. A step that was begun and has no result runs again only where `isHarmless`; otherwise it
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
  /** Journals at once that the agent rests: it does not go on by itself when it runs again. */
  rest(): void;
  /** Tells watchers. While steps answer from the journal nobody is told: they were, on the earlier run. */
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
      /** What it resolves with where nobody can know whether it happened. */
      readonly unknownOutcome: T;
      /** Journaled with the beginning. */
      readonly note?: unknown;
    };
