import type { Envelope } from '../../core/events.js';
import {
  toolUsesOf,
  type AssistantMessage,
  type Message,
  type ToolResultBlock,
  type UserBlock,
  type UserMessage,
} from '../../core/messages.js';

/** One agent's messages: only ever appended to, so that each request extends the one before it. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** A reply, whole or what was whole of it. */
  addReply(message: AssistantMessage): void;
  addResult(result: ToolResultBlock): void;
  result(toolUseId: string): ToolResultBlock | undefined;
  /**
   * Makes the next user message: the results that the newest reply waits for, in the order of its request, then the mail.
   * Undefined where there is nothing to say.
   */
  addTurn(mail: readonly Envelope[]): UserMessage | undefined;
  /** The newest message waits for a reply. */
  readonly isUnanswered: boolean;
}

export function createConversation(): Conversation {
  const messages: Message[] = [];
  const results = new Map<string, ToolResultBlock>();
  return {
    messages,
    addReply(message) {
      if (message.content.length > 0) messages.push(message);
    },
    addResult(result) {
      results.set(result.tool_use_id, result);
    },
    result: (toolUseId) => results.get(toolUseId),
    addTurn(mail) {
      const content: UserBlock[] = [];
      const newest = messages.at(-1);
      if (newest?.role === 'assistant')
        for (const { id } of toolUsesOf(newest)) {
          const result = results.get(id);
          if (result !== undefined) content.push(result);
          results.delete(id);
        }
      for (const envelope of mail) content.push(...(envelope.content as UserBlock[])); // put in as such
      if (content.length === 0) return undefined;
      const message: UserMessage = { role: 'user', content };
      messages.push(message);
      return message;
    },
    get isUnanswered() {
      return messages.at(-1)?.role === 'user';
    },
  };
}
