import type { AnyActorRef } from 'xstate';
import type { AssistantBlock, AssistantMessage } from '../../../core/messages.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import type { ScheduledCall } from '../../../machines/agent/tool-schedule.js';
import { stepKey } from '../../../journal/step-key.js';
import { createAssembler } from '../../../model/assemble.js';
import type { AssembledBlock } from '../../../model/assemble-block.js';
import type { ModelEvent, ModelRequest } from '../../../model/model.js';
import type { PromptMeter } from '../../../usage/prompt-meter.js';
import { failureOfStop, isStoppedShort } from '../../../model/stop-reasons.js';
import { createToolUseRepair } from '../../../model/usable-tool-uses.js';
import { emitFrom } from '../../services/event-bus.js';
import { tell, type AgentParts } from '../agent-parts.js';
import type { Reply, Said } from './reply.js';
import type { SamplingServices } from './sampling-services.js';
import type { Activity } from './silence-watch.js';
import { streamReply } from './stream-reply.js';

export type AdmittedCall = Pick<ScheduledCall, 'id' | 'isSafe' | 'isShell' | 'onInterrupt'>;
export type Admit = (block: AssembledBlock, turn: number) => Promise<AdmittedCall>;

/** One try of a request. */
export interface Attempt {
  /** A tool use was told: it may have begun, so that what was said before it stands. */
  readonly hasCalls: boolean;
  /** @throws what went wrong */
  run(): Promise<void>;
  /** All that was whole, when it has ended in whatever way. */
  reply(): Reply;
}

export type AttemptOptions = {
  readonly agent: AnyActorRef;
  readonly turn: number;
  readonly model: string;
  /** The turn's own: aborted where the agent is told to stop. */
  readonly signal: AbortSignal;
  readonly admit: Admit;
  /** Told of the request when it begins. */
  readonly onBegin: (activity: Activity) => void;
  readonly meter: PromptMeter;
  /** Told of what was used, when it has ended in whatever way. */
  readonly onUsed: (call: ModelCall) => void;
};

/**
 * Streams one reply. Text is handed on when it can no longer be taken back: with the tool use that follows it, or at the
 * reply's end. A tool use begins as soon as it is whole; one whose input is not waits for the next event, since a reply
 * that was stopped short ends with a piece, which is not said and never runs.
 */
export function createAttempt(
  parts: AgentParts,
  services: SamplingServices,
  { agent, turn, model, signal, admit, onBegin, meter, onUsed }: AttemptOptions,
): Attempt {
  const { maxTokens, bus, journal } = services;
  const assembler = createAssembler(maxTokens);
  const repair = createToolUseRepair(turn, (id) => parts.conversation.hasToolUse(id));
  const held: AssistantBlock[] = [];
  const said: AssistantBlock[] = [];
  let doubtful: AssembledBlock | undefined;
  let uses = 0;

  /** Only a sub-agent has an output file: the text of the main agent is read from its journal. */
  const writeOutput = (text: string): void => {
    if (parts.depth > 0) journal.appendText(`output/${parts.taskId}`, `${text}\n`);
  };

  const usedSoFar = (): ModelCall => ({ model: assembler.model ?? model, usage: assembler.usage });

  const handOn = (): void => {
    const { messageId, model: answered, usage, stopReason } = assembler;
    for (const block of held.splice(0)) {
      said.push(block);
      if (block.type === 'text') writeOutput(block.text);
      const message: AssistantMessage = { role: 'assistant', content: [block] };
      const reply = { id: messageId ?? '', model: answered ?? model, usage, stopReason };
      const meta = { uuid: parts.door.uuid(), reply };
      emitFrom(parts.door, { type: 'agent.message', args: [message, meta] });
    }
  };

  const take = async (assembled: AssembledBlock): Promise<void> => {
    const call = await admit(assembled, turn);
    if (signal.aborted) return; // it never runs, so it was never said
    held.push(assembled.block);
    const { invalidInput } = assembled;
    const saying: Said = {
      blocks: [...held],
      ...(invalidInput === undefined ? {} : { invalidInput }),
      ...(assembler.model === undefined ? {} : { call: usedSoFar() }), // of a model that says its name
    };
    const key = stepKey.said(turn, uses);
    await parts.door.step(key, () => Promise.resolve(saying), { isHarmless: true });
    uses += 1;
    handOn();
    tell(agent, { type: 'tool.use', call });
  };

  const finishBlock = (event: ModelEvent): Promise<void> | undefined => {
    const assembled = assembler.push(event);
    if (assembled === undefined) return undefined;
    const { block, invalidInput, lacksInput } = assembled;
    if (block.type !== 'tool_use') return void held.push(block);
    if (invalidInput === undefined && lacksInput !== true) return take(assembled);
    doubtful = assembled;
    return undefined;
  };

  /** What comes after a doubtful tool use says whether it was all of it. */
  const settleDoubt = async (assembled: AssembledBlock, event: ModelEvent): Promise<void> => {
    const isOver = event.type === 'message_stop';
    if (!isOver && event.type !== 'content_block_start') return;
    doubtful = undefined;
    if (!(isOver && isStoppedShort(assembler.stopReason))) await take(assembled);
  };

  const assemble = (event: ModelEvent): Promise<void> | undefined => {
    if (event.type === 'content_block_stop') return finishBlock(event);
    assembler.push(event);
    if (doubtful !== undefined) return settleDoubt(doubtful, event).then(finish);
    finish();
    return undefined;
  };

  const finish = (): void => {
    if (!assembler.isComplete) return;
    if (isStoppedShort(assembler.stopReason)) dropThoughts(held);
    handOn();
  };

  return {
    get hasCalls() {
      return uses > 0;
    },
    async run() {
      const isWatched = bus.listenerCount('agent.stream') > 0;
      await streamReply(parts, services, {
        request: requestOf(parts, model, maxTokens),
        minOutputTokens: leastOutput(parts, meter),
        meter,
        assembler,
        signal,
        onBegin,
        onUsed,
        onEvent(sent) {
          const event = repair(sent);
          if (isWatched) bus.emit('agent.stream', parts.origin, event);
          return assemble(event);
        },
      });
    },
    reply() {
      const { isComplete, stopReason, stopDetails, model: answered } = assembler;
      if (!isComplete) dropThoughts(held);
      handOn();
      const failure = isComplete ? failureOfStop(stopReason, stopDetails) : undefined;
      return {
        message: { role: 'assistant', content: said },
        stopReason: isComplete ? stopReason : null,
        ...(answered === undefined ? {} : { model: answered }),
        ...(failure === undefined ? {} : { failure }),
      };
    },
  };
}

/** A reply that would probably be cut off is not begun. */
function leastOutput({ thinking }: AgentParts, { replyTokens }: PromptMeter): number {
  const thought = thinking?.type === 'enabled' ? thinking.budgetTokens : 0;
  const usual = Math.min(replyTokens, MOST_USUAL_OUTPUT_TOKENS);
  return Math.max(LEAST_OUTPUT_TOKENS + thought, usual);
}

const LEAST_OUTPUT_TOKENS = 1_024;
const MOST_USUAL_OUTPUT_TOKENS = 8_192;

/** Nothing came of them. */
function dropThoughts(blocks: AssistantBlock[]): void {
  while (isThought(blocks.at(-1))) blocks.pop();
}

function isThought(block: AssistantBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

function requestOf(parts: AgentParts, model: string, maxTokens: number): ModelRequest {
  const { id, type, name, effort, thinking, system, modelTools, conversation } = parts;
  return {
    model,
    maxTokens,
    system,
    tools: modelTools,
    messages: conversation.messages,
    ...(effort === undefined ? {} : { effort }),
    ...(thinking === undefined ? {} : { thinking }),
    origin: { agentId: id, agentType: type, ...(name === undefined ? {} : { name }) },
  };
}
