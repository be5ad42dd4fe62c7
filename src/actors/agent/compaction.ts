import type { AnyActorRef } from 'xstate';
import type {
  CompactionReport,
  CompactionResult,
  CompactionTrigger,
} from '../../core/compaction.js';
import { TaskFailedError, toFailure } from '../../core/errors.js';
import type { Failure } from '../../core/failure.js';
import type { ModelCall } from '../../core/usage.js';
import { toAttachmentTexts } from '../../context/compaction/attachments.js';
import {
  composeCompaction,
  planCompaction,
  type CompactionPlan,
} from '../../context/compaction/compose.js';
import { estimateTokens } from '../../context/compaction/estimate.js';
import { SUMMARY_SYSTEM, toSummaryMessages } from '../../context/compaction/summary-request.js';
import { isWindowShort } from '../../context/compaction/window.js';
import { isBackgroundTask } from '../../core/task-types.js';
import { JournalWriteError } from '../../journal/journal-write-error.js';
import { stepKey } from '../../journal/step-key.js';
import { CONTEXT_WINDOW_EXCEEDED } from '../../machines/agent-failures.js';
import { contextWindowOf } from '../../model/context-window.js';
import { emitFrom } from '../event-bus.js';
import { tell, type AgentParts } from './agent-parts.js';
import { askModel } from './ask-model.js';
import { CompactionFailedError } from './compaction-failed-error.js';
import { readRecentFiles } from './recent-files.js';
import type { SamplingServices } from './sampling-services.js';
import type { Activity } from './silence-watch.js';

/** How it went, as it is journaled. */
export type CompactionOutcome = { readonly calls: readonly ModelCall[] } & (
  { readonly result: CompactionResult; readonly summary: string } | { readonly failure: Failure }
);

/** Gives one agent's conversation a new beginning, where the window is short or somebody asks for it. */
export interface Compaction {
  /** Whether the window is too short for the request that follows this turn. */
  isDue(turn: number): boolean;
  /** Comes before `compact`, in the step that asks for it: an abort in between stops it, too. */
  renew(): void;
  /** Compacts, and tells the agent how it went. */
  compact(agent: AnyActorRef, turn: number, trigger: CompactionTrigger): Promise<void>;
  /**
   * What whoever asks learns of the next compaction; the machine is told by the caller.
   * @throws CompactionFailedError
   */
  next(instructions: string | undefined): Promise<CompactionReport>;
  abort(): void;
  /** Its model call under way. */
  readonly activity: Readonly<Activity> | undefined;
}

const LONGEST_SUMMARY_TOKENS = 16_000;
/** A character more would not fit for sure: code and numbers have few a token. */
const CHARS_PER_TOKEN = 3;
/** What is written around the transcript. */
const FRAME_TOKENS = 1_000;
/** Files that are read again may take so much of the window. */
const FILES_SHARE = 0.1;
/** A transcript that is too long all the same is halved so often. */
const MOST_HALVINGS = 3;

export function createCompaction(parts: AgentParts, services: SamplingServices): Compaction {
  const { conversation, door } = parts;
  const { maxTokens } = services;
  /** Of the model that it has now. */
  const windowNow = (): number => services.settings.contextWindow ?? contextWindowOf(parts.model);
  let controller = new AbortController();
  let activity: Activity | undefined;
  let instructions: string | undefined;
  let waiting: {
    resolve(report: CompactionReport): void;
    reject(error: CompactionFailedError): void;
  }[] = [];

  /** A summary of what is old, shorter and shorter material where it does not fit. */
  const summarise = async (
    agent: AnyActorRef,
    { old }: CompactionPlan,
    calls: ModelCall[],
  ): Promise<string> => {
    const contextWindow = windowNow();
    const room = Math.max(256, Math.floor(contextWindow / 4));
    const summaryTokens = Math.min(maxTokens, LONGEST_SUMMARY_TOKENS, room);
    const fits = Math.max(contextWindow / 2, contextWindow - summaryTokens - FRAME_TOKENS);
    let maxChars = Math.floor(fits * CHARS_PER_TOKEN);
    for (let halvings = 0; ; halvings += 1) {
      const messages = toSummaryMessages(old, {
        maxChars,
        ...(instructions === undefined ? {} : { instructions }),
      });
      try {
        const summary = await askModel(
          parts,
          services,
          { system: SUMMARY_SYSTEM, messages, maxTokens: summaryTokens },
          {
            agent,
            signal: controller.signal,
            onActivity: (newest) => void (activity = newest),
            onUsed: (call) => void calls.push(call),
          },
        );
        if (summary.trim() === '')
          throw new TaskFailedError({
            code: 'SUMMARY_EMPTY',
            message: 'the model’s summary is empty.',
          });
        return summary;
      } catch (error) {
        const isTooLong = toFailure(error).code === CONTEXT_WINDOW_EXCEEDED;
        if (!isTooLong || halvings === MOST_HALVINGS) throw error;
        maxChars = Math.floor(maxChars / 2);
      }
    }
  };

  const attachmentTexts = async (): Promise<readonly string[]> => {
    const state = parts.toolContext.getAppState?.();
    const maxChars = Math.floor(windowNow() * FILES_SHARE * CHARS_PER_TOKEN);
    return toAttachmentTexts({
      files: await readRecentFiles(parts, maxChars),
      todos: state?.todos[parts.id] ?? [],
      tasks: Object.values(state?.tasks ?? {}).filter(
        (task) => task.parentId === parts.taskId && isBackgroundTask(task),
      ),
    });
  };

  const make = async (
    agent: AnyActorRef,
    { uuid, trigger, preTokens }: { uuid: string; trigger: CompactionTrigger; preTokens: number },
  ): Promise<CompactionOutcome> => {
    const { prompts } = conversation;
    const isUnanswered = conversation.isUnanswered || conversation.isPaused;
    const calls: ModelCall[] = [];
    const plan = planCompaction(conversation.messages, {
      isUnanswered,
      contextWindow: windowNow(),
    });
    if (plan === undefined)
      return {
        calls,
        failure: {
          code: 'NOTHING_TO_COMPACT',
          message: 'there is nothing yet that a summary could stand for.',
        },
      };
    try {
      const summary = await summarise(agent, plan, calls);
      const attachments = await attachmentTexts();
      const result = composeCompaction({
        uuid,
        trigger,
        preTokens,
        plan,
        isUnanswered,
        summary,
        attachments,
        prompts,
      });
      return { calls, result, summary };
    } catch (error) {
      controller.signal.throwIfAborted(); // not journaled: it may be tried again
      return { calls, failure: toFailure(error) };
    }
  };

  const settle = (outcome: CompactionReport | CompactionFailedError): void => {
    const callers = waiting;
    waiting = [];
    instructions = undefined;
    for (const { resolve, reject } of callers)
      if (outcome instanceof CompactionFailedError) reject(outcome);
      else resolve(outcome);
  };

  return {
    isDue(turn) {
      if (door.isDone(stepKey.compact(turn))) return true; // so it was on the earlier run
      if (!services.settings.autoCompact || door.isDone(stepKey.model(turn + 1))) return false;
      const { tokens, isUnanswered } = conversation;
      const use = {
        tokens: tokens.newest,
        floor: tokens.floor,
        contextWindow: windowNow(),
        maxTokens,
      };
      return isUnanswered && isWindowShort(use);
    },
    renew: () => void (controller = new AbortController()),
    async compact(agent, turn, trigger) {
      const preTokens = conversation.tokens.newest || estimateTokens(conversation.messages);
      const uuid = door.uuid();
      emitFrom(door, { type: 'agent.compaction', args: [{ status: 'started', trigger }] });
      try {
        const outcome = await door.step(
          stepKey.compact(turn),
          () => make(agent, { uuid, trigger, preTokens }),
          { isHarmless: true },
        );
        if ('failure' in outcome) throw new CompactionFailedError(outcome.failure);
        const { result, summary } = outcome;
        conversation.compact(result);
        const { compactMetadata } = result.boundaryMarker;
        const postTokens = estimateTokens(conversation.messages);
        const report: CompactionReport = { ...compactMetadata, postTokens, summary };
        emitFrom(door, { type: 'agent.compaction', args: [{ status: 'done', report }] });
        const text = `Compacted the conversation, which had ${compactMetadata.preTokens} tokens.`;
        tell(agent, { type: 'compaction.done', text });
        settle(report);
      } catch (error) {
        if (error instanceof JournalWriteError) throw error; // nothing can be relied on any more
        conversation.tokens.compactionFailed();
        const failed = toFailed(error, controller.signal);
        const failure = toFailure(failed);
        emitFrom(door, {
          type: 'agent.compaction',
          args: [{ status: 'failed', trigger, failure }],
        });
        tell(agent, { type: 'compaction.failed', failure });
        settle(failed);
      } finally {
        activity = undefined;
      }
    },
    next(wish) {
      instructions = wish ?? instructions;
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    abort() {
      controller.abort(new DOMException('The agent was told to stop.', 'AbortError'));
    },
    get activity() {
      return activity;
    },
  };
}

function toFailed(error: unknown, signal: AbortSignal): CompactionFailedError {
  if (error instanceof CompactionFailedError) return error;
  const failure = signal.aborted
    ? { code: 'INTERRUPTED', message: 'it was interrupted.' }
    : toFailure(error);
  return new CompactionFailedError(failure);
}
