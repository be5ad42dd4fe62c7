import type { AnyActorRef } from 'xstate';
import { TaskFailedError } from '../../../core/errors.js';
import { textOf, type AssistantMessage, type Message } from '../../../core/messages.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import { createAssembler, type Assembler } from '../../../model/stream/assemble.js';
import { createPromptMeter } from '../../../usage/prompt-meter.js';
import { failureOfStop } from '../../../model/stop-reasons.js';
import type { ModelRequest, ServerTool } from '../../../model/model.js';
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
  /** The agent's own model if absent. */
  readonly model?: string;
  readonly serverTools?: readonly ServerTool[];
} & Partial<Pick<ModelRequest, 'tools' | 'toolChoice' | 'stopSequences'>>;

/** A reply beside an agent's conversation. */
export type HelperReply = {
  readonly message: AssistantMessage;
  readonly stopReason: string | null;
};

/** The agent that asks. */
export type Asker = Pick<
  Caller,
  | 'id'
  | 'type'
  | 'name'
  | 'model'
  | 'planModel'
  | 'permissionContext'
  | 'activeSkills'
  | 'stepContext'
>;

export type AskModelOptions = {
  /** Receives each wait as an event; absent if the agent itself does not wait for the answer. */
  readonly agent?: AnyActorRef;
  readonly signal: AbortSignal;
  /** Called with the active request, and with undefined when a wait begins. */
  readonly onActivity: (activity: Activity | undefined) => void;
  /** Called with the usage of each try. */
  readonly onUsed: (call: ModelCall) => void;
};

/**
 * Send one request beside an agent's conversation, and return the text of the reply.
 *
 * @throws TaskFailedError with the code of the last error; the signal's reason if it is aborted
 */
export async function askModel(
  parts: Asker,
  services: SamplingServices,
  question: Question,
  options: AskModelOptions,
): Promise<string> {
  const { message } = await askForReply(parts, services, question, options);
  return textOf(message);
}

/**
 * Send one request beside an agent's conversation: without tools of the agent, and without messages to anybody.
 *
 * @throws TaskFailedError with the code of the last error; the signal's reason if it is aborted
 */
export async function askForReply(
  parts: Asker,
  services: SamplingServices,
  { system, messages, maxTokens, model: asked, tools = [], ...choices }: Question,
  { agent, signal, onActivity, onUsed }: AskModelOptions,
): Promise<HelperReply> {
  const { id, type, name } = parts;
  const origin = { agentId: id, agentType: type, ...(name === undefined ? {} : { name }) };
  const meter = createPromptMeter();
  const ask = async (model: string): Promise<Assembler> => {
    const assembler = createAssembler(maxTokens);
    await streamReply(parts, services, {
      request: {
        model,
        system,
        tools,
        ...choices,
        messages,
        maxTokens,
        origin,
      },
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
  const failure = failureOfStop(reply.stopReason(), reply.stopDetails());
  if (failure !== undefined) throw new TaskFailedError(failure);
  return { message: reply.message(), stopReason: reply.stopReason() };
}

/** With less room a request is pointless. */
const LEAST_OUTPUT_TOKENS = 500;
