import { NO_USAGE, type Usage } from '../../core/tasks/usage.js';
import type { ModelEvent } from '../model.js';
import type { ScriptedReply } from './script.js';

export type ReplyEventsOptions = {
  readonly model: string;
  readonly messageId: string;
  /** The beginning of tool call IDs; `_` and a number follow. */
  readonly toolUseIdPrefix: string;
  /** The prompt's share of the usage; output tokens are estimated from the reply. */
  readonly promptUsage?: Usage;
};

/** Make the events of a reply in the Messages API's own form, from `message_start` to `message_stop`. */
export function replyEvents(
  reply: ScriptedReply,
  { model, messageId, toolUseIdPrefix, promptUsage = NO_USAGE }: ReplyEventsOptions,
): readonly ModelEvent[] {
  const { thinking, text, tools = [], chunk } = reply;
  const chars = chunk?.chars ?? Infinity;
  const events: ModelEvent[] = [
    {
      type: 'message_start',
      message: {
        id: messageId,
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...promptUsage, output_tokens: 1 },
      },
    },
  ];
  let index = 0;
  let written = 0;
  const addBlock = (start: object, deltas: readonly object[]): void => {
    events.push({ type: 'content_block_start', index, content_block: start });
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
    index += 1;
  };

  if (thinking !== undefined) {
    written += thinking.length;
    addBlock({ type: 'thinking', thinking: '', signature: '' }, [
      ...split(thinking, chars).map((part) => ({ type: 'thinking_delta', thinking: part })),
      { type: 'signature_delta', signature: `scripted-${messageId}-${index}` },
    ]);
  }
  if (text !== undefined) {
    written += text.length;
    const deltas = split(text, chars).map((part) => ({ type: 'text_delta', text: part }));
    addBlock({ type: 'text', text: '' }, deltas);
  }
  for (const [position, tool] of tools.entries()) {
    const id = `${toolUseIdPrefix}_${position}`;
    const json = JSON.stringify(tool.input ?? {});
    written += json.length + tool.name.length;
    addBlock(
      { type: 'tool_use', id, name: tool.name, input: {} },
      split(json, chars).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    );
  }

  const stopReason = reply.stopReason ?? (tools.length > 0 ? 'tool_use' : 'end_turn');
  events.push({
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: tokensOf(written) },
  });
  events.push({ type: 'message_stop' });
  return events;
}

/** A rule of thumb; at least one token. */
export function tokensOf(chars: number): number {
  return Math.max(1, Math.ceil(chars / 4));
}

/** Pieces of at most `chars` characters, never between the halves of a surrogate pair. */
function split(text: string, chars: number): readonly string[] {
  if (text.length <= chars) return [text];
  const parts: string[] = [];
  const letters = [...text];
  for (let at = 0; at < letters.length; at += chars) {
    parts.push(letters.slice(at, at + chars).join(''));
  }
  return parts;
}
