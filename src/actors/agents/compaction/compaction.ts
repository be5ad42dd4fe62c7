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
import type { EventHooks } from '../../hooks/session-hooks.js';
import { createCompactionCallers } from './compaction-callers.js';
import { createCompactionHooks } from './compaction-hooks.js';
import { CompactionFailedError } from './compaction-failed-error.js';
import type { SamplingServices } from '../requests/sampling-services.js';
import type { Activity } from '../requests/silence-watch.js';

/** Give one agent's conversation a new beginning if the window is short or somebody asks for it. */
export interface Compaction {
  /** Tokens of the context window of the agent's present model. */
  windowNow(): number;
  /** Whether the window is too short for the request that follows this turn. */
  isDue(turn: number): boolean;
  /** Call before `compact`, in the transition that requests it: an abort in between then stops it too. */
  renew(): void;
  /** Compact, and send the agent the outcome. */
  compact(agent: AnyActorRef, turn: number, trigger: CompactionTrigger): Promise<void>;
  /**
   * Wait for the next compaction, which the caller asks the machine for.
   *
   * @throws CompactionFailedError
   */
  next(instructions: string | undefined): Promise<CompactionReport>;
  abort(): void;
  /** The active model request. */
  activity(): Readonly<Activity> | undefined;
}

/** The hooks are absent without hooks. */
export type CompactionServices = SamplingServices & { readonly hooks?: EventHooks | undefined };

export function createCompaction(parts: AgentParts, services: CompactionServices): Compaction {
  const { conversation, stepContext } = parts;
  const { settings, maxTokens } = services;
  const callers = createCompactionCallers();
  let controller = new AbortController();
  let activity: Activity | undefined;
  const windowNow = (): number => settings.contextWindow ?? contextWindowOf(modelNow(parts));

  const publish = (news: CompactionNews): void =>
    emitFrom(stepContext, { type: 'agent.compaction', args: [news] });

  /** The next request starts from the new beginning. */
  const apply = (outcome: CompactionOutcome): CompactionReport => {
    if ('failure' in outcome) throw new CompactionFailedError(outcome.failure);
    const { result, summary } = outcome;
    conversation.compact(result);
    const postTokens = estimateTokens(conversation.messages());
    return { ...result.boundaryMarker.compactMetadata, postTokens, summary };
  };

  return {
    windowNow,
    isDue(turn) {
      if (stepContext.isDone(stepKey.compact(turn))) return true; // an earlier run compacted here
      if (!settings.autoCompact || stepContext.isDone(stepKey.model(turn + 1))) return false;
      const tokens = conversation.tokens.newest();
      const floor = conversation.tokens.floor();
      const use = { tokens, floor, contextWindow: windowNow(), maxTokens };
      return conversation.isUnanswered() && isWindowShort(use);
    },
    renew: () => void (controller = new AbortController()),
    async compact(agent, turn, trigger) {
      const preTokens = conversation.tokens.newest() || estimateTokens(conversation.messages());
      const uuid = stepContext.uuid();
      const { signal } = controller;
      const hooks = createCompactionHooks(parts, services.hooks, trigger, signal);
      const attempt = async (): Promise<CompactionOutcome> => {
        const advice = await hooks.before(callers.instructions());
        if ('failure' in advice) return { calls: [], failure: advice.failure };
        const outcome = await attemptCompaction(parts, services, {
          agent,
          uuid,
          trigger,
          preTokens,
          contextWindow: windowNow(),
          instructions: advice.instructions,
          signal,
          onActivity: (newest) => void (activity = newest),
        });
        return hooks.after(outcome);
      };
      publish({ status: 'started', trigger });
      try {
        const outcome = await stepContext.step(stepKey.compact(turn), attempt, {
          isHarmless: true,
        });
        const report = apply(outcome);
        publish({ status: 'done', report });
        const text = `Compacted the conversation, which had ${report.preTokens} tokens.`;
        tell(agent, { type: 'compaction.done', text });
        callers.settle(report);
      } catch (error) {
        if (error instanceof JournalWriteError) throw error; // a failed write ends the session
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
      controller.abort(new DOMException('The agent was stopped.', 'AbortError'));
    },
    activity: () => activity,
  };
}

function toFailed(error: unknown, signal: AbortSignal): CompactionFailedError {
  if (error instanceof CompactionFailedError) return error;
  const failure = signal.aborted
    ? { code: 'INTERRUPTED', message: 'it was interrupted.' }
    : toFailure(error);
  return new CompactionFailedError(failure);
}
