import type { AgentContext } from '../../../core/agents/agent-context.js';
import type { AnyActorRef } from 'xstate';
import { TaskFailedError, toFailure } from '../../../core/errors.js';
import type { Failure } from '../../../core/failure.js';
import { JournalWriteError } from '../../../journal/journal-write-error.js';
import { BudgetExceededError } from '../../../usage/budget-exceeded-error.js';
import { classifyModelError, type ModelErrorClass } from '../../../model/errors/model-error.js';
import { toRateLimitMessage } from '../../../model/errors/rate-limit.js';
import { LONGEST_RETRY_AFTER_MS, retryDelayMs } from '../../../model/errors/retry-policy.js';
import { emitFrom } from '../../services/event-bus.js';
import { tell } from '../parts/effects.js';
import type { ModelChoice } from '../../../model/choice/model-choice.js';
import type { SamplingServices } from './sampling-services.js';

export type Tries<T> = {
  /** Receives each wait as an event; absent if the agent itself does not wait for the reply. */
  readonly agent?: AnyActorRef | undefined;
  readonly choice: ModelChoice;
  readonly signal: AbortSignal;
  /** Called when a wait begins. */
  readonly onWait: () => void;
  readonly ask: (model: string) => Promise<T>;
  /** Return the part of a failed try that stands; then no further try follows. */
  readonly keep?: (verdict: ModelErrorClass) => T | undefined;
  /** Return what the next try does differently, if the failed one was at fault; that try follows at once. */
  readonly adapt?: (verdict: ModelErrorClass) => string | undefined;
};

/**
 * Try until a reply has come or no try can help. Each wait is visible, and a fallback replaces a model that stays
 * overloaded.
 *
 * @throws TaskFailedError with the code of the last error; JournalWriteError; the signal's reason if it is aborted
 */
export async function withRetries<T>(
  { stepContext }: { readonly stepContext: AgentContext },
  { timers, rateLimits }: Pick<SamplingServices, 'timers' | 'rateLimits'>,
  { agent, choice, signal, onWait, ask, keep, adapt }: Tries<T>,
): Promise<T> {
  /** @returns whether the next try goes to another model, which needs no wait */
  const changeModel = (verdict: ModelErrorClass): boolean => {
    const fallback = choice.countFailure(verdict);
    if (fallback === undefined) return false;
    emitFrom(stepContext, { type: 'agent.fallback', args: [fallback] });
    return true;
  };

  const tellRateLimit = (
    { rateLimit, retryAfterMs }: ModelErrorClass,
    delayMs: number | undefined,
  ): void => {
    if (rateLimit === undefined) return;
    const resetsAt =
      rateLimit.resetsAt ?? (retryAfterMs === undefined ? undefined : timers.now() + retryAfterMs);
    const told = { ...rateLimit, ...(resetsAt === undefined ? {} : { resetsAt }) };
    emitFrom(stepContext, { type: 'agent.rateLimit', args: [toRateLimitMessage(told, delayMs)] });
  };

  const wait = async (attempt: number, delayMs: number, verdict: ModelErrorClass) => {
    onWait();
    const { code, status } = verdict;
    const message = messageOfRetry(verdict);
    const retry = { attempt, delayMs, code, status, message, at: timers.now() };
    if (agent !== undefined) tell(agent, { type: 'sample.retrying', retry });
    emitFrom(stepContext, { type: 'agent.retry', args: [retry] });
    await timers.sleep(delayMs, signal);
  };

  for (let tries = 1; ; tries += 1) {
    const model = choice.model();
    try {
      const reply = await ask(model);
      choice.countReply();
      return reply;
    } catch (error) {
      if (error instanceof JournalWriteError) throw error; // no error of the model
      const verdict = classifyModelError(error, signal);
      const isChanged = verdict.kind !== 'abort' && changeModel(verdict);
      const kept = keep?.(verdict);
      if (kept !== undefined) return kept;
      signal.throwIfAborted();
      const change = adapt?.(verdict);
      if (change !== undefined) {
        await wait(tries, 0, { ...verdict, message: `${verdict.message} ${change}` });
        continue;
      }
      const delayMs =
        verdict.kind === 'retry'
          ? retryDelayMs(tries, verdict.retryAfterMs, Math.random())
          : undefined;
      rateLimits.note(model, verdict);
      tellRateLimit(verdict, delayMs);
      if (delayMs === undefined)
        throw new TaskFailedError(
          error instanceof BudgetExceededError ? toFailure(error) : failureOf(verdict),
        );
      if (!isChanged) await wait(tries, delayMs, verdict);
    }
  }
}

/** The message, with a note if the next try comes sooner than the server wants. */
function messageOfRetry({ message, retryAfterMs = 0 }: ModelErrorClass): string {
  if (retryAfterMs <= LONGEST_RETRY_AFTER_MS) return message;
  const [asked, waits] = [retryAfterMs, LONGEST_RETRY_AFTER_MS].map((ms) => Math.ceil(ms / 1_000));
  return `${message} It asks to wait ${asked} s, which is longer than the ${waits} s that a try waits at most.`;
}

export function failureOf({ code, message, status }: ModelErrorClass): Failure {
  return status === undefined ? { code, message } : { code, message, details: { status } };
}
