import { toReadable } from '../../core/errors.js';
import { untilAborted } from '../../model/until-aborted.js';
import { setImmediate } from 'node:timers/promises';
import type { AnyActorRef } from 'xstate';
import type { AssistantBlock, AssistantMessage } from '../../core/messages.js';
import type { ModelCall } from '../../core/usage.js';
import { JournalWriteError } from '../../journal/journal-write-error.js';
import type { ScheduledCall } from '../../machines/tool-schedule.js';
import { createAssembler, requireEvent } from '../../model/assemble.js';
import type { AssembledBlock } from '../../model/assemble-block.js';
import { isRecord } from '../../model/is-record.js';
import { ModelEndedEarlyError } from '../../model/model-ended-early-error.js';
import type { ModelEvent, ModelRequest } from '../../model/model.js';
import type { PromptMeter } from '../../model/prompt-meter.js';
import { failureOfStop, isStoppedShort } from '../../model/stop-reasons.js';
import type { Reservation } from '../../model/usage-ledger.js';
import { createToolUseRepair } from '../../model/usable-tool-uses.js';
import { emitFrom } from '../event-bus.js';
import { tell, type AgentParts } from './agent-parts.js';
import { saidStep, type Reply, type Said } from './reply.js';
import type { SamplingServices } from './sampling-services.js';
import { watchSilence, type Activity } from './silence-watch.js';

export type AdmittedCall = Pick<ScheduledCall, 'id' | 'isSafe' | 'isShell' | 'onInterrupt'>;
export type Admit = (block: AssembledBlock, turn: number) => Promise<AdmittedCall>;

/** One try of a request. */
export interface Attempt {
  /** A tool use was told: it may have begun, so that what was said before it stands. */
  readonly hasCalls: boolean;
  /** @returns what went wrong, if anything. @throws what is not the model's */
  run(): Promise<unknown>;
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
  { model: client, maxTokens, silence, timers, ledger, rateLimits, bus, journal }: SamplingServices,
  { agent, turn, model, signal, admit, onBegin, meter, onUsed }: AttemptOptions,
): Attempt {
  const assembler = createAssembler(maxTokens);
  const repair = createToolUseRepair(turn, (id) => parts.conversation.hasToolUse(id));
  const held: AssistantBlock[] = [];
  const said: AssistantBlock[] = [];
  let doubtful: AssembledBlock | undefined;
  let uses = 0;

  const writeOutput = (text: string): void =>
    journal.appendText(`output/${parts.taskId}`, `${text}\n`);

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
      ...(assembler.model === undefined ? {} : { call: usedSoFar() }), // what drives it asks nobody
    };
    const key = saidStep(turn, uses);
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

  return {
    get hasCalls() {
      return uses > 0;
    },
    async run() {
      const measured = meter.measure(requestOf(parts, model, maxTokens));
      const estimate = {
        model,
        promptTokens: measured.bound,
        maxOutputTokens: maxTokens,
        minOutputTokens: leastOutput(parts, meter),
      };
      let reservation: Reservation;
      try {
        await rateLimits.pass(model, signal);
        reservation = await ledger.reserve(parts.id, estimate, signal);
      } catch (error) {
        return error;
      }
      const startedAt = timers.now();
      let receivedBytes = 0;
      let events = 0;
      const activity: Activity = { startedAt, lastEventAt: undefined };
      const silent = new AbortController();
      const unwatch = watchSilence(activity, silence, timers, (error) => silent.abort(error));
      const touch = (): void => {
        activity.lastEventAt = timers.now();
      };
      try {
        signal.throwIfAborted();
        onBegin(activity);
        const either = AbortSignal.any([signal, silent.signal]);
        const request = requestOf(parts, model, reservation.maxOutputTokens);
        const stream = client.stream(request, { signal: either, onActivity: touch });
        const isWatched = bus.listenerCount('agent.stream') > 0;
        for await (const sent of untilAborted(stream, either)) {
          if ((events += 1) % EVENTS_IN_A_ROW === 0) await setImmediate();
          touch();
          const event = repair(requireEvent(sent));
          receivedBytes += bytesOf(event);
          if (isWatched) bus.emit('agent.stream', parts.origin, event);
          if (event.type === 'content_block_stop') await finishBlock(event);
          else {
            assembler.push(event);
            if (doubtful !== undefined) await settleDoubt(doubtful, event);
          }
          if (assembler.isComplete) break; // whatever comes behind its end is not the reply's
        }
        if (!assembler.isComplete) throw new ModelEndedEarlyError();
        if (isStoppedShort(assembler.stopReason)) dropThoughts(held);
        handOn();
        return undefined;
      } catch (error) {
        const thrown = toReadable(error);
        if (thrown instanceof JournalWriteError) throw thrown; // not the model's
        if (silent.signal.aborted) return silent.signal.reason;
        return thrown ?? new Error('The model threw nothing.');
      } finally {
        unwatch();
        const { model: answered, usage, isComplete } = assembler;
        const leastOutputTokens = isComplete ? 0 : receivedBytes;
        ledger.settle(reservation, usage, { model: answered, leastOutputTokens });
        measured.learn(usage);
        if (answered !== undefined) onUsed(usedSoFar());
        emitFrom(parts.door, { type: 'agent.sampled', args: [timers.now() - startedAt] });
      }
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

/** Of a stream that never waits: then the process looks at other things. */
export const EVENTS_IN_A_ROW = 500;
const LEAST_OUTPUT_TOKENS = 1_024;
const MOST_USUAL_OUTPUT_TOKENS = 8_192;

/** What has come of a reply: never fewer than its tokens. */
function bytesOf({ type, delta }: ModelEvent): number {
  if (type !== 'content_block_delta' || !isRecord(delta)) return 0;
  const { text, thinking, partial_json: json } = delta;
  return lengthOf(text) + lengthOf(thinking) + lengthOf(json);
}

function lengthOf(part: unknown): number {
  return typeof part === 'string' ? Buffer.byteLength(part) : 0;
}

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
