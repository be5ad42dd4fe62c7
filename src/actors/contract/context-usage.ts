import { estimateTokens } from '../../context/compaction/estimate.js';
import type { Message } from '../../core/messages.js';
import { contextWindowOf } from '../../model/choice/context-window.js';

/** How much of a model's context window a conversation takes. */
export type ContextUsage = {
  /** ID of the model that the next request goes to. */
  readonly model: string;
  /** Counted by the API with the newest request; estimated before the first one. */
  readonly tokens: number;
  /** Tokens that a request and its reply may have together. */
  readonly contextWindow: number;
};

/** @param contextWindow derived from the model's ID if absent */
type MeasuredConversation = {
  messages(): readonly Message[];
  /** Tokens of the newest request, as the API counted them; 0 before the first one. */
  readonly tokens: { newest(): number };
};

export function contextUsageOf(
  { conversation, model }: { readonly conversation: MeasuredConversation; readonly model: string },
  contextWindow: number | undefined,
): ContextUsage {
  return {
    model,
    tokens: conversation.tokens.newest() || estimateTokens(conversation.messages()),
    contextWindow: contextWindow ?? contextWindowOf(model),
  };
}
