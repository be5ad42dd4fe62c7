import type { ToolResultBlock } from '../../../core/messages.js';
import { limitResult } from '../../../context/result-limit.js';
import { resultsToReplace } from '../../../context/result-budget.js';
import { stepKey } from '../../../journal/entries/step-key.js';
import type { SessionFiles } from '../../../journal/journal.js';
import type { AgentContext } from '../../../core/agents/agent-context.js';
import type { TaskId } from '../../../core/ids.js';
import type { Conversation } from '../conversation/conversation.js';
import { createResultStore } from './result-store.js';

/** Share of the context window that results may have, and what is left of it when they have become too many. */
const MOST_OF_WINDOW = 0.5;
const LEFT_OF_WINDOW = 0.25;
const CHARS_PER_TOKEN = 4;

/**
 * Keep the results of a conversation within half of the context window: the oldest long ones become references to files,
 * each once. The references are in the journal, so a resumed conversation has the same bytes.
 */
export function createResultBudget(
  {
    conversation,
    stepContext,
    taskId,
  }: {
    readonly conversation: Conversation;
    readonly stepContext: AgentContext;
    readonly taskId: TaskId;
  },
  journal: SessionFiles,
  windowNow: () => number,
): (turn: number) => Promise<void> {
  const store = createResultStore(journal, taskId);
  return async (turn) => {
    const chars = windowNow() * CHARS_PER_TOKEN;
    if (conversation.results.chars() <= chars * MOST_OF_WINDOW) return;
    const long = resultsToReplace(conversation.messages(), chars * LEFT_OF_WINDOW);
    if (long.length === 0) return;
    const replace = (): Promise<readonly ToolResultBlock[]> =>
      Promise.all(long.map((block) => limitResult(block, 0, store)));
    conversation.replaceResults(
      await stepContext.step(stepKey.replace(turn), replace, { isHarmless: true }),
    );
  };
}
