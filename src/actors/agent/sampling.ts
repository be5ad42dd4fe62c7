import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../core/errors.js';
import type { Failure } from '../../core/failure.js';
import { textOf, type AssistantBlock, type AssistantMessage } from '../../core/messages.js';
import { JournalWriteError } from '../../journal/journal-write-error.js';
import type { Journal } from '../../journal/journal.js';
import type { ScheduledCall } from '../../machines/tool-schedule.js';
import { createAssembler } from '../../model/assemble.js';
import type { AssembledBlock, InvalidInput } from '../../model/assemble-block.js';
import { ModelEndedEarlyError } from '../../model/model-ended-early-error.js';
import { classifyModelError, type ModelErrorClass } from '../../model/model-error.js';
import type { Model, ModelEvent, ModelRequest } from '../../model/model.js';
import { LONGEST_RETRY_AFTER_MS, MAX_MODEL_TRIES, retryDelayMs } from '../../model/retry-policy.js';
import type { UsageLedger } from '../../model/usage-ledger.js';
import { emitFrom, type EventBus } from '../event-bus.js';
import type { Timers } from '../timers.js';
import { tell, type AgentParts } from './agent-parts.js';

/** What one request came to, as it is journaled. A broken or aborted one keeps the blocks that were whole. */
type Reply = {
  readonly message: AssistantMessage;
  readonly stopReason: string | null;
  readonly failure?: Failure;
};

/** A tool use that may begin before its reply is whole, with the blocks before it: the use is the last one. */
type Said = {
  readonly blocks: readonly AssistantBlock[];
  readonly invalidInput?: InvalidInput;
};

export interface Sampling {
  /** Makes the request of this turn and tells the agent of each tool use, then of the end. Never rejects. */
  sample(agent: AnyActorRef, turn: number): Promise<void>;
  abort(): void;
  /** The request under way: since when, and when the newest event came (epoch ms). */
  readonly activity: { readonly startedAt: number; readonly lastEventAt: number } | undefined;
}

export type SamplingServices = {
  readonly model: Model;
  readonly maxTokens: number;
  readonly timers: Timers;
  readonly ledger: UsageLedger;
  readonly bus: EventBus;
  readonly journal: Journal;
};

type AdmittedCall = Pick<ScheduledCall, 'id' | 'isSafe' | 'isShell' | 'onInterrupt'>;

/**
 * Streaming requests of one agent. Retry is visible: the agent is told of each wait. Text is handed on when it can no
 * longer be taken back: with the tool use that follows it, or at the reply's end.
 */
export function createSampling(
  parts: AgentParts,
  { model, maxTokens, timers, ledger, bus, journal }: SamplingServices,
  admit: (block: AssembledBlock, turn: number) => Promise<AdmittedCall>,
): Sampling {
  let controller = new AbortController();
  let activity: { startedAt: number; lastEventAt: number } | undefined;
  let brokenInARow = 0;

  const sample = async (agent: AnyActorRef, turn: number): Promise<void> => {
    controller = new AbortController();
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
      parts.conversation.addReply(reply.message);
      if (reply.failure === undefined)
        tell(agent, { type: 'sample.done', text: textOf(reply.message) });
      else tell(agent, { type: 'sample.failed', failure: reply.failure });
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
    for (let tries = 1; ; tries += 1) {
      const attempt = createAttempt(agent, turn);
      const error = await attempt.run();
      if (error === undefined) {
        brokenInARow = 0;
        return attempt.reply();
      }
      const verdict = classifyModelError(error, controller.signal);
      if (verdict.kind === 'abort') return attempt.reply();
      if (attempt.hasCalls) {
        brokenInARow += 1;
        if (verdict.kind === 'retry' && brokenInARow < MAX_MODEL_TRIES) return attempt.reply();
        return { ...attempt.reply(), failure: failureOf(verdict) };
      }
      const delayMs =
        verdict.kind === 'retry'
          ? retryDelayMs(tries, verdict.retryAfterMs, Math.random())
          : undefined;
      if (delayMs === undefined) return { ...attempt.nothing(), failure: failureOf(verdict) };
      if (!(await waitForRetry(agent, tries, delayMs, verdict))) return attempt.nothing();
    }
  };

  /** @returns false where the wait was aborted */
  const waitForRetry = async (
    agent: AnyActorRef,
    attempt: number,
    delayMs: number,
    verdict: ModelErrorClass,
  ): Promise<boolean> => {
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

  const writeOutput = (text: string): void =>
    journal.appendText(`output/${parts.taskId}`, `${text}\n`);

  const createAttempt = (agent: AnyActorRef, turn: number) => {
    const assembler = createAssembler();
    const held: AssistantBlock[] = [];
    const said: AssistantBlock[] = [];
    let uses = 0;

    const handOn = (): void => {
      const { messageId, model: answered, usage, stopReason } = assembler;
      for (const block of held.splice(0)) {
        said.push(block);
        if (block.type === 'text') writeOutput(block.text);
        const message: AssistantMessage = { role: 'assistant', content: [block] };
        const reply = { id: messageId ?? '', model: answered ?? parts.model, usage, stopReason };
        const meta = { uuid: parts.door.uuid(), reply };
        emitFrom(parts.door, { type: 'agent.message', args: [message, meta] });
      }
    };

    const take = async (event: ModelEvent): Promise<void> => {
      const assembled = assembler.push(event);
      if (assembled === undefined) return;
      held.push(assembled.block);
      if (assembled.block.type !== 'tool_use') return;
      const call = await admit(assembled, turn);
      if (controller.signal.aborted) return void held.pop(); // it never runs, so it was never said
      const { invalidInput } = assembled;
      const saying: Said = {
        blocks: [...held],
        ...(invalidInput === undefined ? {} : { invalidInput }),
      };
      const key = saidStep(turn, uses);
      await parts.door.step(key, () => Promise.resolve(saying), { isHarmless: true });
      uses += 1;
      handOn();
      tell(agent, { type: 'tool.use', call });
    };

    return {
      get hasCalls() {
        return uses > 0;
      },
      /** @returns what went wrong, if anything */
      async run(): Promise<unknown> {
        const { signal } = controller;
        const reservation = ledger.reserve(parts.id, {
          model: parts.model,
          maxOutputTokens: maxTokens,
        });
        const startedAt = timers.now();
        try {
          signal.throwIfAborted();
          activity = { startedAt, lastEventAt: startedAt };
          const stream = await model.stream(requestOf(parts, maxTokens), { signal });
          const isWatched = bus.listenerCount('agent.stream') > 0;
          for await (const event of stream) {
            activity.lastEventAt = timers.now();
            if (isWatched) bus.emit('agent.stream', parts.origin, event);
            if (event.type === 'content_block_stop') await take(event);
            else assembler.push(event);
          }
          if (!assembler.isComplete) throw new ModelEndedEarlyError();
          handOn();
          return undefined;
        } catch (error) {
          if (error instanceof JournalWriteError) throw error; // not the model's
          return error ?? new Error('The model threw nothing.');
        } finally {
          ledger.settle(reservation, assembler.usage, assembler.model);
          emitFrom(parts.door, { type: 'agent.sampled', args: [timers.now() - startedAt] });
        }
      },
      reply: (): Reply => {
        if (!assembler.isComplete) while (isThought(held.at(-1))) held.pop(); // nothing came of it
        handOn();
        return {
          message: { role: 'assistant', content: said },
          stopReason: assembler.stopReason,
        };
      },
      nothing: (): Reply => ({ message: { role: 'assistant', content: [] }, stopReason: null }),
    };
  };

  return {
    sample,
    abort: () => controller.abort(new DOMException('The agent was told to stop.', 'AbortError')),
    get activity() {
      return activity;
    },
  };
}

function saidStep(turn: number, index: number): string {
  return `turn:${turn}/said:${index}`;
}

/** What is left of a reply whose end was never seen. */
function brokenReply(said: readonly Said[]): Reply {
  const content = said.flatMap(({ blocks }) => blocks);
  return { message: { role: 'assistant', content }, stopReason: null };
}

/** The tool uses of a journaled reply, with what was wrong with their inputs as the model wrote them. */
function withProblems({ message }: Reply, said: readonly Said[]): readonly AssembledBlock[] {
  const uses = message.content.filter((block) => block.type === 'tool_use');
  return uses.map((block, index) => {
    const invalidInput = said[index]?.invalidInput;
    return invalidInput === undefined ? { block } : { block, invalidInput };
  });
}

function isThought(block: AssistantBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

function requestOf(parts: AgentParts, maxTokens: number): ModelRequest {
  const { id, type, name, model, effort, system, modelTools, conversation } = parts;
  return {
    model,
    maxTokens,
    system,
    tools: modelTools,
    messages: conversation.messages,
    ...(effort === undefined ? {} : { effort }),
    origin: { agentId: id, agentType: type, ...(name === undefined ? {} : { name }) },
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
