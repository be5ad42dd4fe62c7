import { toolUsesOf, type Message, type ToolResultBlock } from '../../../core/messages.js';
import type { ModelTool } from '../../../model/model.js';
import type { Tool } from '../../../tools/tool.js';
import { createConversation, type Conversation } from './conversation.js';

/** The state that a fork takes over from its original, so that its requests begin with the same bytes. */
export type ForkedAgent = {
  readonly from: string;
  readonly system: readonly string[];
  readonly tools: readonly Tool[];
  readonly modelTools: readonly ModelTool[];
  readonly messages: readonly Message[];
};

/** The part of an agent that its fork shares. */
type Forkable = Omit<ForkedAgent, 'from' | 'messages'> & {
  readonly id: string;
  readonly conversation: Pick<Conversation, 'messages'>;
};

/**
 * The result of every open tool call in a fork: the same for all, so that forks share the bytes before their prompts.
 */
const FORKED = 'The conversation was forked here: this tool call continues in the original.';

/**
 * Copy an agent as it is. A user message without a reply is left out, since the fork gets another prompt.
 *
 * @returns undefined for an empty conversation
 */
export function forkAgent({
  id,
  system,
  tools,
  modelTools,
  conversation,
}: Forkable): ForkedAgent | undefined {
  const end = conversation.messages().findLastIndex(({ role }) => role === 'assistant');
  if (end === -1) return undefined;
  const messages = conversation.messages().slice(0, end + 1);
  return { from: id, system, tools, modelTools, messages };
}

/** The conversation of a fork before its prompt: each tool call of the newest reply has its result. */
export function forkedConversation(messages: readonly Message[]): Conversation {
  const conversation = createConversation(messages);
  const newest = messages.at(-1);
  if (newest?.role === 'assistant')
    for (const { id } of toolUsesOf(newest))
      conversation.addResult({
        type: 'tool_result',
        tool_use_id: id,
        content: FORKED,
      } satisfies ToolResultBlock);
  return conversation;
}
