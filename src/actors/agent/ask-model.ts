import { setImmediate } from 'node:timers/promises';
import type { AnyActorRef } from 'xstate';
import { TaskFailedError, toReadable } from '../../core/errors.js';
import { untilAborted } from '../../model/until-aborted.js';
import { textOf, type Message } from '../../core/messages.js';
import type { ModelCall } from '../../core/usage.js';
import { createAssembler } from '../../model/assemble.js';
import { ModelEndedEarlyError } from '../../model/model-ended-early-error.js';
import { classifyModelError } from '../../model/model-error.js';
import { createPromptMeter } from '../../model/prompt-meter.js';
import { retryDelayMs } from '../../model/retry-policy.js';
import { failureOfStop } from '../../model/stop-reasons.js';
import { emitFrom } from '../event-bus.js';
import { tell, type AgentParts } from './agent-parts.js';
import { EVENTS_IN_A_ROW } from './attempt.js';
import type { SamplingServices } from './sampling-services.js';
import { watchSilence, type Activity } from './silence-watch.js';

export type Question = {
  readonly system: readonly string[];
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  /** The agent's own where absent. */
  readonly model?: string;
};

export type AskModelOptions = {
  /** Told of each wait; nobody where the agent itself does not wait for it. */
  readonly agent?: AnyActorRef;
  readonly signal: AbortSignal;
  readonly onBegin: (activity: Activity) => void;
  /** Told of what each try has used. */
  readonly onUsed: (call: ModelCall) => void;
};

/**
 * One request beside an agent's conversation: without tools, and its reply is said to nobody. Tried again as all requests
 * are.
 *
 * @returns the text of the reply
 * @throws TaskFailedError with the code of what went wrong at last; the signal's reason where it is aborted
 */
export async function askModel(
  parts: AgentParts,
  services: SamplingServices,
  question: Question,
  options: AskModelOptions,
): Promise<string> {
  const { timers } = services;
  const { agent, signal } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce(parts, services, question, options);
    } catch (error) {
      if (error instanceof TaskFailedError) throw error;
      const verdict = classifyModelError(error, signal);
      signal.throwIfAborted();
      services.rateLimits.note(question.model ?? parts.model, verdict);
      const { status, code, message } = verdict;
      const delayMs =
        verdict.kind === 'retry'
          ? retryDelayMs(tries, verdict.retryAfterMs, Math.random())
          : undefined;
      if (delayMs === undefined) throw new TaskFailedError({ code, message });
      const retry = { attempt: tries, delayMs, status, message, at: timers.now() };
      if (agent !== undefined) tell(agent, { type: 'sample.retrying', retry });
      emitFrom(parts.door, { type: 'agent.retry', args: [retry] });
      await timers.sleep(delayMs, signal);
    }
  }
}

async function tryOnce(
  parts: AgentParts,
  { model: client, silence, timers, ledger, rateLimits }: SamplingServices,
  { system, messages, maxTokens, model: asked }: Question,
  { signal, onBegin, onUsed }: AskModelOptions,
): Promise<string> {
  const { id, type, name } = parts;
  const model = asked ?? parts.model;
  const origin = { agentId: id, agentType: type, ...(name === undefined ? {} : { name }) };
  const request = { model, system, tools: [], messages, maxTokens, origin };
  await rateLimits.pass(model, signal);
  const reservation = await ledger.reserve(
    id,
    {
      model,
      promptTokens: createPromptMeter().measure(request).bound,
      maxOutputTokens: maxTokens,
      minOutputTokens: Math.min(maxTokens, LEAST_OUTPUT_TOKENS),
    },
    signal,
  );
  const assembler = createAssembler(maxTokens);
  const startedAt = timers.now();
  const activity: Activity = { startedAt, lastEventAt: undefined };
  const silent = new AbortController();
  const unwatch = watchSilence(activity, silence, timers, (error) => silent.abort(error));
  const onActivity = (): void => {
    activity.lastEventAt = timers.now();
  };
  let receivedBytes = 0;
  let events = 0;
  try {
    onBegin(activity);
    const either = AbortSignal.any([signal, silent.signal]);
    const stream = client.stream(
      { ...request, maxTokens: reservation.maxOutputTokens },
      { signal: either, onActivity },
    );
    for await (const event of untilAborted(stream, either)) {
      if ((events += 1) % EVENTS_IN_A_ROW === 0) await setImmediate();
      onActivity();
      receivedBytes += JSON.stringify(event).length;
      assembler.push(event);
      if (assembler.isComplete) break;
    }
    if (!assembler.isComplete) throw new ModelEndedEarlyError();
    const failure = failureOfStop(assembler.stopReason, assembler.stopDetails);
    if (failure !== undefined) throw new TaskFailedError(failure);
    return textOf(assembler.message());
  } catch (error) {
    throw silent.signal.aborted ? silent.signal.reason : toReadable(error);
  } finally {
    unwatch();
    const { usage, model: answered, isComplete } = assembler;
    const leastOutputTokens = isComplete ? 0 : receivedBytes;
    ledger.settle(reservation, usage, { model: answered, leastOutputTokens });
    if (answered !== undefined) onUsed({ model: answered, usage });
    emitFrom(parts.door, { type: 'agent.sampled', args: [timers.now() - startedAt] });
  }
}

/** With less room it is not worth asking. */
const LEAST_OUTPUT_TOKENS = 500;
