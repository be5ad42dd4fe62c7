import {
  COMPACTED,
  type CompactionResult,
  type CompactionTrigger,
} from '../../core/agents/compaction.js';
import { frame } from '../../core/text/frame.js';
import { textBlock, type Message, type TextBlock, type UserBlock } from '../../core/messages.js';
import { estimateTokens } from './estimate.js';

const PROMPTS = 'You are still working on this request, repeated word for word:';
/** If the newest exchange is larger than this share of the window, it is summarised too. */
const LARGEST_TAIL = 0.25;

/** The summarised part, and the part that stays word for word. */
export type CompactionPlan = {
  readonly old: readonly Message[];
  /**
   * The newest reply with the results of all its tool calls; empty if they are too large, or no message waits for a
   * reply.
   */
  readonly kept: readonly Message[];
};

/**
 * Split a conversation between a reply and the messages before it, never between a tool call and its result. Undefined
 * if there is nothing to summarise.
 */
export function planCompaction(
  messages: readonly Message[],
  { isUnanswered, contextWindow }: { isUnanswered: boolean; contextWindow: number },
): CompactionPlan | undefined {
  const newest = messages.findLastIndex(({ role }) => role === 'assistant');
  if (newest === -1) return undefined;
  const tail = isUnanswered ? messages.slice(newest) : [];
  const old = messages.slice(0, messages.length - tail.length);
  const isKept =
    old.some(({ role }) => role === 'assistant') &&
    estimateTokens(tail) <= contextWindow * LARGEST_TAIL;
  return isKept ? { old, kept: tail } : { old: messages, kept: [] };
}

/** Compose the new beginning. Messages without an answer are in it word for word. */
export function composeCompaction({
  uuid,
  trigger,
  preTokens,
  plan,
  isUnanswered,
  summary,
  attachments,
  prompts,
}: {
  uuid: string;
  trigger: CompactionTrigger;
  preTokens: number;
  plan: CompactionPlan;
  isUnanswered: boolean;
  summary: string;
  attachments: readonly string[];
  /** Prompts of the user, or of the parent, since the agent was last idle. */
  prompts: readonly UserBlock[];
}): CompactionResult {
  const { old, kept } = plan;
  const unseen = isUnanswered && kept.length === 0 ? unseenBlocks(old) : [];
  const present = new Set<unknown>([...unseen, ...kept.flatMap(({ content }) => [...content])]);
  const repeated = prompts.filter((block) => !present.has(block));
  const texts: readonly TextBlock[] = attachments.map(textBlock);
  const content: readonly UserBlock[] = [
    ...texts,
    ...(repeated.length === 0 ? [] : [textBlock(PROMPTS), ...repeated]),
    ...unseen,
  ];
  return {
    boundaryMarker: {
      type: 'system',
      subtype: 'compact_boundary',
      uuid,
      compactMetadata: { trigger, preTokens },
      keptMessages: kept.length,
      isAnswered: !isUnanswered,
    },
    summaryMessages: [
      {
        role: 'user',
        content: [textBlock(`${COMPACTED}\n\n${frame('summary', {}, summary.trim())}`)],
      },
    ],
    attachments: content.length === 0 ? [] : [{ role: 'user', content }],
    hookResults: [],
  };
}

/**
 * Messages since the newest reply, beside results: prompts, messages and notifications that no request has contained
 * yet.
 */
function unseenBlocks(messages: readonly Message[]): readonly UserBlock[] {
  const newest = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(newest + 1)
    .flatMap((message) =>
      message.role === 'user'
        ? message.content.filter((block) => block.type !== 'tool_result')
        : [],
    );
}
