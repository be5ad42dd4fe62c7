import type { AnyActorRef } from 'xstate';
import type { CompactionReport, CompactionTrigger } from '../../../core/agents/compaction.js';
import { toFailure } from '../../../core/errors.js';
import { estimateTokens } from '../../../context/compaction/estimate.js';
import { isWindowShort } from '../../../context/compaction/window.js';
import { JournalWriteError } from '../../../journal/journal-write-error.js';
import { stepKey } from '../../../journal/entries/step-key.js';
import { contextWindowOf } from '../../../model/choice/context-window.js';
import { emitFrom, type CompactionNews } from '../../services/event-bus.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { modelNow } from '../parts/caller.js';
import { tell } from '../parts/effects.js';
import { attemptCompaction } from './attempt-compaction.js';
import type { CompactionOutcome } from '../conversation/compaction-outcome.js';
import { createCompactionCallers } from './compaction-callers.js';
import { CompactionFailedError } from './compaction-failed-error.js';
import type { SamplingServices } from '../requests/sampling-services.js';
import type { Activity } from '../requests/silence-watch.js';

/** Gives one agent's conversation a new beginning if the window is short or somebody asks for it. */
export interface Compaction {
  /** Whether the window is too short for the request that follows this turn. */
  isDue(turn: number): boolean;
  /** Call before `compact`, in the transition that asks for it: an abort in between stops it, too. */
  renew(): void;
  /** Compacts, and tells the agent how it went. */
  compact(agent: AnyActorRef, turn: number, trigger: CompactionTrigger): Promise<void>;
  /**
   * Wait for the next compaction, which the caller asks the machine for.
   *
   * @throws CompactionFailedError
   */
  next(instructions: string | undefined): Promise<CompactionReport>;
  abort(): void;
  /** The model request under way. */
  readonly activity: Readonly<Activity> | undefined;
}

export function createCompaction(parts: AgentParts, services: SamplingServices): Compaction {
  const { conversation, door } = parts;
  const { settings, maxTokens } = services;
  const callers = createCompactionCallers();
  let controller = new AbortController();
  let activity: Activity | undefined;
  /** The window of the model that the agent has now. */
  const windowNow = (): number => settings.contextWindow ?? contextWindowOf(modelNow(parts));

  const publish = (news: CompactionNews): void =>
    emitFrom(door, { type: 'agent.compaction', args: [news] });

  /** The new beginning counts from the next request on. */
  const apply = (outcome: CompactionOutcome): CompactionReport => {
    if ('failure' in outcome) throw new CompactionFailedError(outcome.failure);
    const { result, summary } = outcome;
    conversation.compact(result);
    const postTokens = estimateTokens(conversation.messages);
    return { ...result.boundaryMarker.compactMetadata, postTokens, summary };
  };

  return {
    isDue(turn) {
      if (door.isDone(stepKey.compact(turn))) return true; // so it was on the earlier run
      if (!settings.autoCompact || door.isDone(stepKey.model(turn + 1))) return false;
      const { tokens, isUnanswered } = conversation;
      const { newest, floor } = tokens;
      const use = { tokens: newest, floor, contextWindow: windowNow(), maxTokens };
      return isUnanswered && isWindowShort(use);
    },
    renew: () => void (controller = new AbortController()),
    async compact(agent, turn, trigger) {
      const preTokens = conversation.tokens.newest || estimateTokens(conversation.messages);
      const uuid = door.uuid();
      const { signal } = controller;
      const attempt = (): Promise<CompactionOutcome> =>
        attemptCompaction(parts, services, {
          agent,
          uuid,
          trigger,
          preTokens,
          contextWindow: windowNow(),
          instructions: callers.instructions,
          signal,
          onActivity: (newest) => void (activity = newest),
        });
      publish({ status: 'started', trigger });
      try {
        const outcome = await door.step(stepKey.compact(turn), attempt, { isHarmless: true });
        const report = apply(outcome);
        publish({ status: 'done', report });
        const text = `Compacted the conversation, which had ${report.preTokens} tokens.`;
        tell(agent, { type: 'compaction.done', text });
        callers.settle(report);
      } catch (error) {
        if (error instanceof JournalWriteError) throw error; // nothing can be relied on any more
        conversation.tokens.compactionFailed();
        const failed = toFailed(error, signal);
        const failure = toFailure(failed);
        publish({ status: 'failed', trigger, failure });
        tell(agent, { type: 'compaction.failed', failure });
        callers.settle(failed);
      } finally {
        activity = undefined;
      }
    },
    next: callers.wait,
    abort() {
      controller.abort(new DOMException('The agent was told to stop.', 'AbortError'));
    },
    get activity() {
      return activity;
    },
  };
}

function toFailed(error: unknown, signal: AbortSignal): CompactionFailedError {
  if (error instanceof CompactionFailedError) return error;
  const failure = signal.aborted
    ? { code: 'INTERRUPTED', message: 'it was interrupted.' }
    : toFailure(error);
  return new CompactionFailedError(failure);
}
