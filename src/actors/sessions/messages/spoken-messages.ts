import type { AssistantBlock, Message, UserMessage } from '../../../core/messages.js';
import { NO_USAGE } from '../../../core/tasks/usage.js';
import type { AgentOrigin, MessageMeta } from '../../services/event-bus.js';
import type { SessionMessageBody, ToldBlock } from '../../contract/session-message.js';

/** Blocks of an agent's own words, as opposed to its actions. */
const SAID: ReadonlySet<AssistantBlock['type']> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
]);

/** @param isReplay whether the message is a prompt of the session */
export function toUserMessage(
  { parentToolUseId }: AgentOrigin,
  message: UserMessage,
  { mail }: MessageMeta,
  { isReplay, timestamp }: { readonly isReplay: boolean; readonly timestamp: string },
): SessionMessageBody {
  const isSynthetic = mail !== undefined && mail !== 'prompt';
  return {
    type: 'user',
    message,
    parent_tool_use_id: parentToolUseId,
    timestamp,
    ...(isSynthetic ? { isSynthetic } : {}),
    ...(isReplay ? { isReplay } : {}),
  };
}

/** @returns undefined if the message has no block to report */
export function toAssistantMessage(
  { parentToolUseId }: AgentOrigin,
  message: Message,
  { reply }: MessageMeta,
  { tellsText, timestamp }: { readonly tellsText: boolean; readonly timestamp: string },
): SessionMessageBody | undefined {
  const { id = '', model = '', usage = NO_USAGE, stopReason = null } = reply ?? {};
  const blocks = message.content as readonly AssistantBlock[]; // the message of an assistant
  const told = tellsText ? blocks : blocks.filter(({ type }) => !SAID.has(type));
  if (told.length === 0) return undefined;
  const content = told.map(
    (block) => (block.type === 'opaque' ? (block.raw as unknown as ToldBlock) : block), // a kind without a type
  );
  return {
    type: 'assistant',
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content,
      stop_reason: stopReason,
      usage,
    },
    parent_tool_use_id: parentToolUseId,
    timestamp,
  };
}
