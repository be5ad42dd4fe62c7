import { textOf, type Message, type UserMessage } from '../messages.js';

/**
 * Why a conversation is compacted: its window was nearly full, a request for it, or a model request that was too long.
 */
export type CompactionTrigger = 'auto' | 'manual' | 'overflow';

/** The beginning of a compacted conversation. Earlier messages are in the journal and are not sent any more. */
export type CompactBoundary = {
  readonly type: 'system';
  readonly subtype: 'compact_boundary';
  /** ID of the boundary, the same in the journal. */
  readonly uuid: string;
  /** Facts of the compaction. */
  readonly compactMetadata: {
    /** Why the conversation was compacted. */
    readonly trigger: CompactionTrigger;
    /** Tokens of the newest request and its reply; estimated if no reply had any count. */
    readonly preTokens: number;
  };
  /** Number of the newest messages that stay after the boundary, word for word. */
  readonly keptMessages: number;
  /** No message waits for a reply: the agent was idle. */
  readonly isAnswered: boolean;
};

/** Result of a compaction: the new beginning of the conversation, in parts. */
export type CompactionResult = {
  /** Facts of the compaction, and its place in the journal. */
  readonly boundaryMarker: CompactBoundary;
  /** Messages at the beginning of the conversation. */
  readonly summaryMessages: readonly UserMessage[];
  /** Facts that the summary must not lose: files, to-dos, running tasks, prompts without an answer. */
  readonly attachments: readonly UserMessage[];
  /** Messages of hooks of `SessionStart` with the source `compact`. */
  readonly hookResults: readonly UserMessage[];
};

/** Report of a compaction. */
export type CompactionReport = {
  /** Whether the compaction was requested, or the window was full. */
  readonly trigger: CompactionTrigger;
  /** Tokens of the conversation before. */
  readonly preTokens: number;
  /** Estimated, without system prompt and tools. */
  readonly postTokens: number;
  /** Text that replaces the conversation. */
  readonly summary: string;
};

/** The beginning of the first message of a compacted conversation, in every version of Troupe. */
const BEGINNING = 'This conversation was compacted:';

/** The first line of a compacted conversation. */
export const COMPACTED = `${BEGINNING} a summary replaces the earlier messages.`;

export function isCompacted([first]: readonly Message[]): boolean {
  return first?.role === 'user' && textOf(first).startsWith(BEGINNING);
}

/** Make the one user message at the beginning of a compacted conversation. */
export function toFirstMessage(result: CompactionResult): UserMessage {
  const { summaryMessages, attachments, hookResults } = result;
  const parts = [...summaryMessages, ...attachments, ...hookResults];
  return { role: 'user', content: parts.flatMap(({ content }) => content) };
}
