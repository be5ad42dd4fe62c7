import { TaskFailedError } from '../../core/errors.js';
import type { Message, ToolResultBlock } from '../../core/messages.js';
import type { Model, ModelEvent } from '../../model/model.js';
import { BashOutput } from '../../tools/shell/bash-output.js';
import type { AgentDriver } from '../agent/agent-parts.js';

/** Drives an agent in the place of a model, and knows what came of it. */
export interface ToolDriver extends AgentDriver {
  /** What the use has put out: of a command its stdout, of other tools the text of the result. */
  readonly output: string;
}

type ToolUse = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/**
 * Has an agent use one tool once and end with what that says. The agent is a whole one: its use is judged, hooked,
 * journaled and ended as those of a model are. Nothing is asked of any API, and nothing is counted.
 */
export function createToolDriver(use: ToolUse): ToolDriver {
  let output: string | undefined;
  let result: ToolResultBlock | undefined;
  const model: Model = {
    stream({ messages, origin }, { signal }) {
      signal.throwIfAborted();
      const id = `toolu_${origin.agentId.slice(-16)}`;
      result ??= resultOf(id, messages); // kept: whatever comes after it, the use was made
      if (result === undefined) return Promise.resolve(replay(useEvents(use, id)));
      const text = textOf(result);
      if (result.is_error === true)
        throw new TaskFailedError({ code: 'TOOL_FAILED', message: text });
      output ??= text;
      return Promise.resolve(replay(textEvents(text)));
    },
  };
  return {
    model,
    onData(data) {
      if (use.tool !== 'Bash') return;
      const { stdout } = BashOutput.safeParse(data).data ?? {};
      if (stdout !== undefined) output = stdout.replace(/\n+$/, '');
    },
    get output() {
      return output ?? '';
    },
  };
}

/** Mail and notifications may stand behind it. */
function resultOf(useId: string, messages: readonly Message[]): ToolResultBlock | undefined {
  return messages
    .flatMap((message) =>
      message.role === 'user'
        ? message.content.filter((block) => block.type === 'tool_result')
        : [],
    )
    .find(({ tool_use_id }) => tool_use_id === useId);
}

function textOf({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}

function useEvents({ tool, input }: ToolUse, id: string): readonly ModelEvent[] {
  const start = { type: 'tool_use', id, name: tool, input: {} };
  const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
  return replyEvents(start, delta, 'tool_use');
}

function textEvents(text: string): readonly ModelEvent[] {
  return replyEvents({ type: 'text', text: '' }, { type: 'text_delta', text }, 'end_turn');
}

/** One block, and nothing that says who answered or what it cost. */
function replyEvents(start: object, delta: object, stopReason: string): readonly ModelEvent[] {
  return [
    { type: 'message_start', message: { type: 'message', role: 'assistant', content: [] } },
    { type: 'content_block_start', index: 0, content_block: start },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: {} },
    { type: 'message_stop' },
  ];
}

async function* replay(events: readonly ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}
