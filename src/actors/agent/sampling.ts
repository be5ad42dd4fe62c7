import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../core/errors.js';
import type { Failure } from '../../core/failure.js';
import { textOf } from '../../core/messages.js';
import type { ModelCall } from '../../core/usage.js';
import { BudgetExceededError } from '../../model/budget-exceeded-error.js';
import { classifyModelError, type ModelErrorClass } from '../../model/model-error.js';
import { toRateLimitMessage } from '../../model/rate-limit.js';
import { createPromptMeter } from '../../model/prompt-meter.js';
import { LONGEST_RETRY_AFTER_MS, MAX_MODEL_TRIES, retryDelayMs } from '../../model/retry-policy.js';
import { continuationOf } from '../../model/stop-reasons.js';
import { emitFrom } from '../event-bus.js';
import { tell, type AgentParts } from './agent-parts.js';
import { createAttempt, type Admit } from './attempt.js';
import { createModelChoice } from './model-choice.js';
import { brokenReply, NO_REPLY, saidStep, withProblems, type Reply, type Said } from './reply.js';
import type { SamplingServices } from './sampling-services.js';
import type { Activity } from './silence-watch.js';

export interface Sampling {
  /** Comes before `sample`, in the step that asks for it: an abort in between stops the request, too. */
  renew(): void;
  /** Makes the request of this turn and tells the agent of each tool use, then of the end. Never rejects. */
  sample(agent: AnyActorRef, turn: number): Promise<void>;
  abort(): void;
  /** A person has said something new: the agent's own model is asked again, where another stood in for it. */
  useOwnModel(): void;
  readonly activity: Readonly<Activity> | undefined;
  /** That is asked now: the agent's own, or one that stands in for it. */
  readonly model: string;
}

/** Streaming requests of one agent. Retry is visible: the agent is told of each wait. */
export function createSampling(
  parts: AgentParts,
  services: SamplingServices,
  admit: Admit,
  whyNot: () => Failure | undefined = () => undefined,
): Sampling {
  const { timers } = services;
  const choice = createModelChoice(() => parts.model, services.fallbackModels);
  const meter = createPromptMeter();
  let controller = new AbortController();
  let activity: Activity | undefined;
  let brokenInARow = 0;

  const sample = async (agent: AnyActorRef, turn: number): Promise<void> => {
    const stopped = whyNot();
    if (stopped !== undefined) return tell(agent, { type: 'sample.failed', failure: stopped });
    try {
      const key = `turn:${turn}/model`;
      const said = await recallSaid(turn);
      const isReplayed = parts.door.isDone(key) || said.length > 0;
      const reply = await parts.door.step(
        key,
        () => (isReplayed ? Promise.resolve(brokenReply(said)) : request(agent, turn)),
        { isHarmless: true },
      );
      if (isReplayed)
        for (const assembled of withProblems(reply, said))
          tell(agent, { type: 'tool.use', call: await admit(assembled, turn) });
      const { message, stopReason, failure } = reply;
      const continues = continuationOf(stopReason);
      parts.conversation.addReply(message, continues, reply.calls?.at(-1)?.usage);
      if (failure !== undefined) tell(agent, { type: 'sample.failed', failure });
      else tell(agent, { type: 'sample.done', text: textOf(message), continues });
    } catch (error) {
      tell(agent, { type: 'sample.failed', failure: toFailure(error) });
    } finally {
      activity = undefined;
    }
  };

  /** Tool uses of this turn that an earlier run had let begin, each with what was said before it. */
  const recallSaid = async (turn: number): Promise<readonly Said[]> => {
    const said: Said[] = [];
    const never = (): Promise<Said> => Promise.reject(new Error('It is journaled.'));
    for (let key = saidStep(turn, 0); parts.door.isDone(key); key = saidStep(turn, said.length))
      said.push(await parts.door.step(key, never, { isHarmless: true }));
    return said;
  };

  /** Tries until a reply has come, whole or in part, or nothing more can be done. */
  const request = async (agent: AnyActorRef, turn: number): Promise<Reply> => {
    const calls: ModelCall[] = [];
    const reply = await tryUntilDone(agent, turn, (call) => calls.push(call));
    return calls.length === 0 ? reply : { ...reply, calls };
  };

  const tryUntilDone = async (
    agent: AnyActorRef,
    turn: number,
    onUsed: (call: ModelCall) => void,
  ): Promise<Reply> => {
    for (let tries = 1; ; tries += 1) {
      const { signal } = controller;
      const onBegin = (begun: Activity): void => void (activity = begun);
      const { model } = choice;
      const attempt = createAttempt(parts, services, {
        agent,
        turn,
        model,
        signal,
        admit,
        onBegin,
        meter,
        onUsed,
      });
      const error = await attempt.run();
      if (error === undefined) {
        brokenInARow = 0;
        choice.countReply();
        return attempt.reply();
      }
      const verdict = classifyModelError(error, signal);
      if (verdict.kind === 'abort') return attempt.reply();
      const isChanged = changeModel(verdict);
      if (attempt.hasCalls) {
        brokenInARow += 1;
        if (verdict.kind === 'retry' && brokenInARow < MAX_MODEL_TRIES) return attempt.reply();
        return { ...attempt.reply(), failure: failureOf(verdict) };
      }
      const delayMs =
        verdict.kind === 'retry'
          ? retryDelayMs(tries, verdict.retryAfterMs, Math.random())
          : undefined;
      services.rateLimits.note(model, verdict);
      tellRateLimit(verdict, delayMs);
      if (error instanceof BudgetExceededError) return { ...NO_REPLY, failure: toFailure(error) };
      if (delayMs === undefined) return { ...NO_REPLY, failure: failureOf(verdict) };
      if (!isChanged && !(await waitForRetry(agent, tries, delayMs, verdict))) return NO_REPLY;
    }
  };

  /** @returns whether the next try goes to another model: there is nothing to wait for */
  const changeModel = (verdict: ModelErrorClass): boolean => {
    const fallback = choice.countFailure(verdict);
    if (fallback === undefined) return false;
    emitFrom(parts.door, { type: 'agent.fallback', args: [fallback] });
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
    emitFrom(parts.door, { type: 'agent.rateLimit', args: [toRateLimitMessage(told, delayMs)] });
  };

  /** @returns false where the wait was aborted */
  const waitForRetry = async (
    agent: AnyActorRef,
    attempt: number,
    delayMs: number,
    verdict: ModelErrorClass,
  ): Promise<boolean> => {
    activity = undefined; // until the next try
    const { status } = verdict;
    const message = messageOfRetry(verdict);
    const retry = { attempt, delayMs, status, message, at: timers.now() };
    tell(agent, { type: 'sample.retrying', retry });
    emitFrom(parts.door, { type: 'agent.retry', args: [retry] });
    return timers.sleep(delayMs, controller.signal).then(
      () => true,
      () => false,
    );
  };

  return {
    renew: () => void (controller = new AbortController()),
    sample,
    abort: () => controller.abort(new DOMException('The agent was told to stop.', 'AbortError')),
    useOwnModel: choice.reset,
    get activity() {
      return activity;
    },
    get model() {
      return choice.model;
    },
  };
}

/** A server that is asked again sooner than it said: whoever watches learns of it. */
function messageOfRetry({ message, retryAfterMs = 0 }: ModelErrorClass): string {
  if (retryAfterMs <= LONGEST_RETRY_AFTER_MS) return message;
  const [asked, waits] = [retryAfterMs, LONGEST_RETRY_AFTER_MS].map((ms) => Math.ceil(ms / 1_000));
  return `${message} It asks to wait ${asked} s, which is longer than the ${waits} s that a try waits at most.`;
}

function failureOf({ code, message, status }: ModelErrorClass): Failure {
  return status === undefined ? { code, message } : { code, message, details: { status } };
}
