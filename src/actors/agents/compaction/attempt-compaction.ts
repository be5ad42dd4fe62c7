import type { CompactionOutcome } from '../conversation/compaction-outcome.js';
import type { AnyActorRef } from 'xstate';
import type { CompactionTrigger } from '../../../core/agents/compaction.js';
import { toFailure } from '../../../core/errors.js';
import type { Failure } from '../../../core/failure.js';
import { isBackgroundTask } from '../../../core/task-types.js';
import type { Message } from '../../../core/messages.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import { toAttachmentTexts } from '../../../context/compaction/attachments.js';
import { composeCompaction, planCompaction } from '../../../context/compaction/compose.js';
import { mostFileChars } from '../../../context/compaction/summary-request.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { readRecentFiles } from './recent-files.js';
import type { SamplingServices } from '../requests/sampling-services.js';
import type { Activity } from '../requests/silence-watch.js';
import { summarise } from './summarise.js';

export type CompactionAttempt = {
  readonly agent: AnyActorRef;
  readonly uuid: string;
  readonly trigger: CompactionTrigger;
  readonly preTokens: number;
  readonly contextWindow: number;
  /** Instructions for the summary. */
  readonly instructions: string | undefined;
  readonly signal: AbortSignal;
  readonly onActivity: (activity: Activity | undefined) => void;
};

/**
 * Compose a new beginning for an agent's conversation, without changing the conversation.
 *
 * @throws the signal's reason if it is aborted; the compaction may be tried again
 */
export async function attemptCompaction(
  parts: AgentParts,
  services: SamplingServices,
  attempt: CompactionAttempt,
): Promise<CompactionOutcome> {
  const { conversation } = parts;
  const { uuid, trigger, preTokens, contextWindow, instructions, ...asking } = attempt;
  const prompts = conversation.prompts();
  const isUnanswered = conversation.isUnanswered() || conversation.isPaused();
  const plan = planCompaction(conversation.messages(), { isUnanswered, contextWindow });
  if (plan === undefined) return { calls: [], failure: NOTHING_TO_COMPACT };
  const calls: ModelCall[] = [];
  try {
    const summary = await summarise(
      parts,
      services,
      { old: plan.old, instructions, contextWindow },
      { ...asking, onUsed: (call) => void calls.push(call) },
    );
    const attachments = await attachmentTexts(parts, contextWindow);
    const facts = { uuid, trigger, preTokens, plan, isUnanswered, summary, attachments, prompts };
    return { calls, result: composeCompaction(facts), summary };
  } catch (error) {
    attempt.signal.throwIfAborted();
    return { calls, failure: toFailure(error) };
  }
}

const NOTHING_TO_COMPACT: Failure = {
  code: 'NOTHING_TO_COMPACT',
  message: 'there is nothing to summarise yet.',
};

async function describeSkills(
  messages: readonly Message[],
  contextWindow: number,
): Promise<string> {
  const { describeUsedSkills, findUsedSkills } =
    await import('../../../context/compaction/used-skills.js');
  return describeUsedSkills(findUsedSkills(messages), mostFileChars(contextWindow));
}

async function attachmentTexts(
  parts: AgentParts,
  contextWindow: number,
): Promise<readonly string[]> {
  const state = parts.toolContext.session.getAppState?.();
  const messages = parts.conversation.messages();
  return toAttachmentTexts({
    skills:
      parts.toolContext.session.skills === undefined
        ? ''
        : await describeSkills(messages, contextWindow),
    files: await readRecentFiles(parts, mostFileChars(contextWindow)),
    todos: state?.todos[parts.id] ?? [],
    tasks: Object.values(state?.tasks ?? {}).filter(
      (task) => task.parentId === parts.taskId && isBackgroundTask(task),
    ),
  });
}
