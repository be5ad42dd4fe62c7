import type { AssistantBlock, Message, UserMessage } from '../../../core/messages.js';
import { NO_USAGE } from '../../../core/tasks/usage.js';
import type { AgentOrigin, MessageMeta } from '../../services/event-bus.js';
import type { SessionMessageBody, Speaker, ToldBlock } from '../../contract/session-message.js';

/** Blocks of an agent's own words, as opposed to its actions. */
const SAID: ReadonlySet<AssistantBlock['type']> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
]);

type Told = { readonly timestamp: string; readonly speaker: Speaker };

/** @param isReplay whether the message is a prompt of the session */
export function toUserMessage(
  { parentToolUseId }: AgentOrigin,
  message: UserMessage,
  { mail, toolResult }: MessageMeta,
  { isReplay, timestamp, speaker }: Told & { readonly isReplay: boolean },
): SessionMessageBody {
  const isSynthetic = mail !== undefined && mail !== 'prompt';
  return {
    type: 'user',
    message,
    parent_tool_use_id: parentToolUseId,
    ...speaker,
    timestamp,
    ...(toolResult === undefined ? {} : { tool_use_result: toolResult }),
    ...(isSynthetic ? { isSynthetic } : {}),
    ...(isReplay ? { isReplay } : {}),
  };
}

/** @returns undefined if the message has no block to report */
export function toAssistantMessage(
  { parentToolUseId }: AgentOrigin,
  message: Message,
  { reply }: MessageMeta,
  { tellsText, timestamp, speaker }: Told & { readonly tellsText: boolean },
): SessionMessageBody | undefined {
  const blocks = message.content as readonly AssistantBlock[]; // the message of an assistant
  const told = tellsText ? blocks : blocks.filter(({ type }) => !SAID.has(type));
  if (told.length === 0) return undefined;
  return {
    type: 'assistant',
    message: toReply(told, reply),
    parent_tool_use_id: parentToolUseId,
    ...speaker,
    timestamp,
  };
}

/** A message as the Messages API sends it. */
export function toReply(blocks: readonly AssistantBlock[], reply: MessageMeta['reply']) {
  const { id = '', model = '', usage = NO_USAGE, stopReason = null } = reply ?? {};
  const content = blocks.map(
    (block) => (block.type === 'opaque' ? (block.raw as unknown as ToldBlock) : block), // a kind without a type
  );
  return {
    id,
    type: 'message' as const,
    role: 'assistant' as const,
    model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  };
}
