import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { AssistantBlock, SessionMessage, UserBlock } from '../../api/types.js';
import type { CallUpdates } from './call-updates.js';

/**
 * Convert the messages of a session to updates: words and thoughts of the main agent as they arrive, and the tool calls of
 * all agents. The report of a sub-agent is the result of the call that started it.
 */
export function createSessionUpdates(
  calls: Pick<CallUpdates, 'begin' | 'end' | 'nameSpeaker' | 'show'>,
): (message: SessionMessage) => SessionUpdate[] {
  /** The words of the present reply so far. */
  let streamed = '';
  let messageId = '';

  const ofEvent = (event: unknown): SessionUpdate[] => {
    const { type, message, delta = {} } = event as StreamEvent; // of the Messages API
    if (type === 'message_start') {
      streamed = '';
      messageId = message?.id ?? '';
    }
    const words = type === 'content_block_delta' ? (delta.text ?? delta.thinking ?? '') : '';
    if (words === '') return [];
    streamed += words;
    return [chunk(delta.text === undefined ? THOUGHT : SPOKEN, words, messageId)];
  };
  const ofBlock = (block: AssistantBlock, parent: string | null, id: string): SessionUpdate[] => {
    if (block.type === 'tool_use') return calls.show({ ...block, parent });
    const [kind, words] = spokenIn(block);
    const isShown = parent !== null || words.trim() === '' || streamed.includes(words);
    return isShown ? [] : [chunk(kind, words, id)];
  };

  return (message) => {
    switch (message.type) {
      case 'stream_event':
        return message.parent_tool_use_id === null ? ofEvent(message.event) : [];
      case 'assistant': {
        const { id, content } = message.message;
        const blocks = content as readonly AssistantBlock[]; // as the session has them
        return blocks.flatMap((block) => ofBlock(block, message.parent_tool_use_id, id));
      }
      case 'user': {
        const blocks = message.message.content as readonly UserBlock[]; // of a user's message
        return blocks.flatMap((block) =>
          block.type === 'tool_result' ? calls.end(block, message.tool_use_result) : [],
        );
      }
      case 'tool_progress':
        return calls.begin(message.tool_use_id);
      case 'system':
        if (message.subtype === 'task_started' && message.tool_use_id !== undefined)
          calls.nameSpeaker(message.tool_use_id, message.description);
        return message.subtype === 'local_command_output'
          ? [chunk(SPOKEN, message.content, message.uuid)]
          : [];
      case 'result':
      case 'rate_limit_event':
        return [];
      default:
        return message satisfies never;
    }
  };
}

type StreamEvent = {
  readonly type: string;
  readonly message?: { readonly id?: string };
  readonly delta?: { readonly text?: string; readonly thinking?: string };
};

const SPOKEN = 'agent_message_chunk';
const THOUGHT = 'agent_thought_chunk';
type ChunkKind = typeof SPOKEN | typeof THOUGHT;

function spokenIn(block: AssistantBlock): readonly [ChunkKind, string] {
  if (block.type === 'thinking') return [THOUGHT, block.thinking];
  return [SPOKEN, block.type === 'text' ? block.text : ''];
}

function chunk(kind: ChunkKind, text: string, messageId: string): SessionUpdate {
  return { sessionUpdate: kind, content: { type: 'text', text }, messageId };
}
