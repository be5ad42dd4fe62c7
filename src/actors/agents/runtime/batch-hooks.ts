import { toolUsesOf } from '../../../core/messages.js';
import type { PostToolBatchToolCall } from '../../../extensions/hooks/tool-hook-inputs.js';
import type { HookVerdict } from '../../hooks/hook-verdict.js';
import type { Conversation } from '../conversation/conversation.js';

/** The texts that hooks add behind the results of a batch, and why the turn ends, if it does. */
export type BatchVerdict = { readonly text?: string; readonly stops?: string };

/** The calls of the newest reply, if no request has their results yet. */
export function newestBatch({
  messages,
  result,
}: Pick<Conversation, 'messages' | 'result'>): readonly PostToolBatchToolCall[] {
  const newest = messages().at(-1);
  if (newest?.role !== 'assistant') return [];
  return toolUsesOf(newest).flatMap(({ id, name, input }) => {
    const block = result(id);
    if (block === undefined) return [];
    const call = { tool_name: name, tool_input: input, tool_use_id: id };
    return [{ ...call, tool_response: block.content }];
  });
}

/** An objection ends the turn. It stays in the conversation. */
export function toBatchVerdict({ objections, context, stops }: HookVerdict): BatchVerdict {
  const why = [...objections, ...(stops === undefined ? [] : [stops])];
  const texts = [...why, ...context];
  return {
    ...(texts.length === 0 ? {} : { text: texts.join('\n') }),
    ...(why.length === 0 ? {} : { stops: why.join('\n') }),
  };
}
