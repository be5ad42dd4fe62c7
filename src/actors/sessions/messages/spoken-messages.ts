import type { AssistantBlock, Message, UserMessage } from '../../../core/messages.js';
import { NO_USAGE } from '../../../core/tasks/usage.js';
import type { AgentOrigin, MessageMeta } from '../../services/event-bus.js';
import type { SessionMessageBody, ToldBlock } from '../../contract/session-message.js';

/** What an agent says, as opposed to what it does. */
const SAID: ReadonlySet<AssistantBlock['type']> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
]);

/** @param isReplay whether the message is a prompt of the session's own */
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

/** @returns undefined if nothing of the message is to be told */
export function toAssistantMessage(
  { parentToolUseId }: AgentOrigin,
  message: Message,
  { reply }: MessageMeta,
  { tellsText, timestamp }: { readonly tellsText: boolean; readonly timestamp: string },
): SessionMessageBody | undefined {
  const { id = '', model = '', usage = NO_USAGE, stopReason = null } = reply ?? {};
  const blocks = message.content as readonly AssistantBlock[]; // of an assistant's message
  const told = tellsText ? blocks : blocks.filter(({ type }) => !SAID.has(type));
  if (told.length === 0) return undefined;
  const content = told.map(
    (block) => (block.type === 'opaque' ? (block.raw as unknown as ToldBlock) : block), // of a kind that has no type
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
