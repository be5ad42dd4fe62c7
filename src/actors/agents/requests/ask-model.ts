import type { AnyActorRef } from 'xstate';
import { TaskFailedError } from '../../../core/errors.js';
import { textOf, type Message } from '../../../core/messages.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import { createAssembler, type Assembler } from '../../../model/stream/assemble.js';
import { createPromptMeter } from '../../../usage/prompt-meter.js';
import { failureOfStop } from '../../../model/stop-reasons.js';
import { modelNow, type Caller } from '../parts/caller.js';
import { createModelChoice } from '../../../model/choice/model-choice.js';
import type { SamplingServices } from './sampling-services.js';
import type { Activity } from './silence-watch.js';
import { streamReply } from './stream-reply.js';
import { withRetries } from './with-retries.js';

export type Question = {
  readonly system: readonly string[];
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  /** The agent's own if absent. */
  readonly model?: string;
};

export type AskModelOptions = {
  /** Gets each wait as an event; absent if the agent itself does not wait for the answer. */
  readonly agent?: AnyActorRef;
  readonly signal: AbortSignal;
  /** Is called with the request under way, and with undefined when a wait begins. */
  readonly onActivity: (activity: Activity | undefined) => void;
  /** Is called with what each try has used. */
  readonly onUsed: (call: ModelCall) => void;
};

/**
 * One request beside an agent's conversation: it has no tools, and nobody is told its reply.
 *
 * @returns the text of the reply
 * @throws TaskFailedError with the code of what went wrong last; the signal's reason if it is aborted
 */
export async function askModel(
  parts: Pick<
    Caller,
    'id' | 'type' | 'name' | 'model' | 'planModel' | 'permissionContext' | 'door'
  >,
  services: SamplingServices,
  { system, messages, maxTokens, model: asked }: Question,
  { agent, signal, onActivity, onUsed }: AskModelOptions,
): Promise<string> {
  const { id, type, name } = parts;
  const origin = { agentId: id, agentType: type, ...(name === undefined ? {} : { name }) };
  const meter = createPromptMeter();
  const ask = async (model: string): Promise<Assembler> => {
    const assembler = createAssembler(maxTokens);
    await streamReply(parts, services, {
      request: { model, system, tools: [], messages, maxTokens, origin },
      minOutputTokens: Math.min(maxTokens, LEAST_OUTPUT_TOKENS),
      meter,
      assembler,
      signal,
      onBegin: onActivity,
      onUsed,
      onEvent: (event) => void assembler.push(event),
    });
    return assembler;
  };
  const reply = await withRetries(parts, services, {
    agent,
    choice: createModelChoice(() => asked ?? modelNow(parts), services.fallbackModels),
    signal,
    onWait: () => onActivity(undefined),
    ask,
  });
  const failure = failureOfStop(reply.stopReason, reply.stopDetails);
  if (failure !== undefined) throw new TaskFailedError(failure);
  return textOf(reply.message());
}

/** With less room it is not worth asking. */
const LEAST_OUTPUT_TOKENS = 500;
