import type { AnyActorRef } from 'xstate';
import { textOf } from '../../../core/messages.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import type { ScheduledCall } from '../../../machines/agent/tool-schedule.js';
import { stepKey } from '../../../journal/entries/step-key.js';
import { createAssembler } from '../../../model/stream/assemble.js';
import type { AssembledBlock } from '../../../model/stream/assemble-block.js';
import type { ModelRequest } from '../../../model/model.js';
import type { PromptMeter } from '../../../usage/prompt-meter.js';
import { failureOfStop } from '../../../model/stop-reasons.js';
import { createToolUseRepair } from '../../../model/stream/usable-tool-uses.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { tell } from '../parts/effects.js';
import { createReplyBlocks } from './reply-blocks.js';
import { createReplyReader } from './reply-reader.js';
import type { Reply, Said } from '../conversation/reply.js';
import type { SamplingServices } from './sampling-services.js';
import type { Activity } from './silence-watch.js';
import { streamReply } from './stream-reply.js';
import { promptFor } from '../parts/prompt-for.js';

export type AdmittedCall = Pick<ScheduledCall, 'id' | 'isSafe' | 'isShell' | 'onInterrupt'>;
export type Admit = (block: AssembledBlock, turn: number) => AdmittedCall | Promise<AdmittedCall>;

/** One attempt at a model request. */
export interface Attempt {
  /** The agent has received a tool call, which may have begun, so the text before it stands. */
  hasCalls(): boolean;
  /** The text that is in no message yet. */
  textSoFar(): string;
  /** @throws the error of the request */
  run(): Promise<void>;
  /** The complete blocks at the end of the attempt, however it ended. */
  reply(): Reply;
}

export type AttemptOptions = {
  readonly agent: AnyActorRef;
  readonly turn: number;
  readonly model: string;
  /** The request may have references to tools. */
  readonly hasReferences: boolean;
  /** The signal of the turn, aborted if the agent is stopped. */
  readonly signal: AbortSignal;
  readonly admit: Admit;
  /** Called when the request begins. */
  readonly onBegin: (activity: Activity) => void;
  readonly meter: PromptMeter;
  /** Called with the usage, however the request ends. */
  readonly onUsed: (call: ModelCall) => void;
};

/** Stream one reply. Its final parts are published while it streams, and its tool calls begin. */
export function createAttempt(
  parts: AgentParts,
  services: SamplingServices,
  { agent, turn, model, hasReferences, signal, admit, onBegin, meter, onUsed }: AttemptOptions,
): Attempt {
  const { maxTokens, bus, journal } = services;
  const assembler = createAssembler(maxTokens);
  const repair = createToolUseRepair(turn, (id) => parts.conversation.hasToolUse(id));
  const blocks = createReplyBlocks(parts, journal, assembler, model);
  let uses = 0;

  const usedSoFar = (): ModelCall => ({
    model: assembler.model() ?? model,
    usage: assembler.usage(),
  });

  const take = (assembled: AssembledBlock): Promise<void> | undefined => {
    const call = admit(assembled, turn);
    return call instanceof Promise
      ? call.then((admitted) => begin(assembled, admitted))
      : begin(assembled, call);
  };

  const begin = (assembled: AssembledBlock, call: AdmittedCall): undefined => {
    if (signal.aborted) return; // the call never runs, so it is dropped
    blocks.hold(assembled.block);
    const { invalidInput } = assembled;
    const saying: Said = {
      blocks: [...blocks.held],
      invalidInput,
      ...(assembler.model() === undefined ? {} : { call: usedSoFar() }), // if the model reports its name
    };
    parts.stepContext.record(stepKey.said(turn, uses), saying);
    uses += 1;
    blocks.publish();
    tell(agent, { type: 'tool.use', call });
  };

  const read = createReplyReader(assembler, blocks, take);

  return {
    hasCalls: () => uses > 0,
    textSoFar: () => textOf({ role: 'assistant', content: blocks.held }) + assembler.openText(),
    async run() {
      const isWatched = bus.listenerCount('agent.stream') > 0;
      await streamReply(parts, services, {
        request: requestOf(parts, { model, hasReferences, maxTokens }),
        minOutputTokens: leastOutput(parts, meter),
        meter,
        assembler,
        signal,
        onBegin,
        onUsed,
        onEvent(sent) {
          const event = repair(sent);
          if (isWatched) bus.emit('agent.stream', parts.origin, event);
          return read(event);
        },
      });
    },
    reply() {
      const isComplete = assembler.isComplete();
      const stopReason = assembler.stopReason();
      if (!isComplete) blocks.dropThoughts();
      blocks.publish();
      const failure = isComplete ? failureOfStop(stopReason, assembler.stopDetails()) : undefined;
      return {
        message: { role: 'assistant', content: blocks.published },
        stopReason: isComplete ? stopReason : null,
        model: assembler.model(),
        failure,
      };
    },
  };
}

/** The least output tokens for a reply that is not cut off. */
function leastOutput({ thinking }: AgentParts, { replyTokens }: PromptMeter): number {
  const thought = thinking?.type === 'enabled' ? thinking.budgetTokens : 0;
  const usual = Math.min(replyTokens(), MOST_USUAL_OUTPUT_TOKENS);
  return Math.max(LEAST_OUTPUT_TOKENS + thought, usual);
}

const LEAST_OUTPUT_TOKENS = 1_024;
const MOST_USUAL_OUTPUT_TOKENS = 8_192;

function requestOf(
  parts: AgentParts,
  {
    model,
    hasReferences,
    maxTokens,
  }: Pick<AttemptOptions, 'model' | 'hasReferences'> & Pick<ModelRequest, 'maxTokens'>,
): ModelRequest {
  const { id, type, name, thinking, activeSkills } = parts;
  const effort = activeSkills.effort() ?? parts.effort;
  return {
    model,
    maxTokens,
    ...promptFor(parts, hasReferences),
    ...(effort === undefined ? {} : { effort }),
    ...(thinking === undefined ? {} : { thinking }),
    origin: { agentId: id, agentType: type, ...(name === undefined ? {} : { name }) },
  };
}
