import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../../core/errors.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import { JournalWriteError } from '../../../journal/journal-write-error.js';
import type { ModelErrorClass } from '../../../model/errors/model-error.js';
import { createPromptMeter } from '../../../usage/prompt-meter.js';
import { MAX_MODEL_TRIES } from '../../../model/errors/retry-policy.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { modelNow } from '../parts/caller.js';
import { createAttempt, type Admit, type Attempt } from './attempt.js';
import { createModelChoice } from '../../../model/choice/model-choice.js';
import { NO_REPLY, type Reply } from '../conversation/reply.js';
import type { SamplingServices } from './sampling-services.js';
import type { Activity } from './silence-watch.js';
import { failureOf, withRetries } from './with-retries.js';

/** The model requests of one agent's turns. */
export interface ModelRequests {
  /**
   * Try until a reply has come, complete or in part, or no try can help.
   *
   * @throws JournalWriteError
   */
  request(agent: AnyActorRef, turn: number, signal: AbortSignal): Promise<Reply>;
  /** Return to the agent's own model after a fallback. */
  useOwnModel(): void;
  /** The active request. */
  activity(): Readonly<Activity> | undefined;
  /** The text of the active request's reply that is in no message yet. */
  textSoFar(): string;
  /** The present model: the agent's own, or its fallback. */
  model(): string;
}

export function createModelRequests(
  parts: AgentParts,
  services: SamplingServices,
  admit: Admit,
): ModelRequests {
  const choice = createModelChoice(() => modelNow(parts), services.fallbackModels);
  const { toolReferences } = services;
  const meter = createPromptMeter();
  let activity: Activity | undefined;
  let active: Attempt | undefined;
  let brokenInARow = 0;
  const onBegin = (begun: Activity): void => void (activity = begun);
  const onWait = (): void => void (activity = undefined);

  /** A tool call may have begun: the blocks before the break of the stream stand. */
  const keepOf = (attempt: Attempt, verdict: ModelErrorClass): Reply | undefined => {
    if (verdict.kind === 'abort') return attempt.reply();
    if (!attempt.hasCalls()) return undefined;
    brokenInARow += 1;
    if (verdict.kind === 'retry' && brokenInARow < MAX_MODEL_TRIES) return attempt.reply();
    return { ...attempt.reply(), failure: failureOf(verdict) };
  };

  return {
    async request(agent, turn, signal) {
      const calls: ModelCall[] = [];
      const onUsed = (call: ModelCall): void => void calls.push(call);
      const withCalls = (reply: Reply): Reply => (calls.length === 0 ? reply : { ...reply, calls });
      let attempt: Attempt | undefined;
      let referring: string | undefined; // the model of a request that may have references
      const ask = async (model: string): Promise<Reply> => {
        const hasReferences = toolReferences.areTaken(model);
        referring = hasReferences ? model : undefined;
        const options = {
          agent,
          turn,
          model,
          hasReferences,
          signal,
          admit,
          onBegin,
          meter,
          onUsed,
        };
        attempt = createAttempt(parts, services, options);
        active = attempt;
        await attempt.run();
        brokenInARow = 0;
        return attempt.reply();
      };
      const keep = (verdict: ModelErrorClass) => attempt && keepOf(attempt, verdict);
      const adapt = (verdict: ModelErrorClass) =>
        referring === undefined ? undefined : toolReferences.note(referring, verdict);
      const tries = { agent, choice, signal, onWait, ask, keep, adapt };
      try {
        return withCalls(await withRetries(parts, services, tries));
      } catch (error) {
        if (error instanceof JournalWriteError) throw error;
        const failed = signal.aborted ? NO_REPLY : { ...NO_REPLY, failure: toFailure(error) };
        return withCalls(failed);
      } finally {
        activity = undefined;
        active = undefined;
      }
    },
    useOwnModel: choice.reset,
    activity: () => activity,
    textSoFar: () => active?.textSoFar() ?? '',
    model: () => choice.model(),
  };
}
