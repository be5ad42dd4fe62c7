import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import {
  listSubAgents,
  readMessages,
  readSubAgent,
  type RecordedMessage,
} from '../../api/sessions/journal.js';
import type { FoundSession, SessionMessage, UserBlock } from '../../api/types.js';
import { createCallUpdates } from './call-updates.js';
import { createSessionUpdates } from './session-updates.js';

/**
 * The updates that a client would have got of a session: prompts, answers, thoughts, tool calls with their results. The
 * calls of a sub-agent follow the call that started it.
 *
 * @throws JournalDamagedError
 */
export function* replay(session: FoundSession, cwd: string): Generator<SessionUpdate> {
  const calls = createCallUpdates({ cwd });
  const toUpdates = createSessionUpdates(calls);
  const subAgents = new Map<string, readonly RecordedMessage[]>();
  for (const id of listSubAgents(session)) {
    const record = readSubAgent(session, id);
    if (record?.toolUseId) subAgents.set(record.toolUseId, record.messages);
  }

  function* conversation(
    messages: readonly RecordedMessage[],
    parent: string | null,
  ): Generator<SessionUpdate> {
    for (const message of messages) {
      const { uuid, mail } = message;
      const content = message.content as readonly UserBlock[]; // blocks of the Messages API
      if (mail !== undefined) {
        if (mail === 'prompt' && parent === null) yield* promptUpdates(content, uuid);
        continue;
      }
      yield* toUpdates(toMessage(message, parent));
      for (const started of startedAgents(message)) {
        calls.nameSpeaker(started.id, started.name);
        const below = subAgents.get(started.id);
        subAgents.delete(started.id);
        if (below !== undefined) yield* conversation(below, started.id);
      }
    }
  }
  yield* conversation(readMessages(session), null);
}

function promptUpdates(content: readonly UserBlock[], messageId: string): SessionUpdate[] {
  return content.flatMap((block): SessionUpdate[] => {
    const shown = toContent(block);
    return shown === undefined
      ? []
      : [{ sessionUpdate: 'user_message_chunk', content: shown, messageId }];
  });
}

function toContent(block: UserBlock): ContentBlock | undefined {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type !== 'image') return undefined;
  return { type: 'image', data: block.source.data, mimeType: block.source.media_type };
}

/** A recorded message in the form of a live one, without the fields that no update has. */
function toMessage(
  { uuid, role, content }: RecordedMessage,
  parent: string | null,
): SessionMessage {
  const head = { type: role, parent_tool_use_id: parent, message: { id: uuid, role, content } };
  return head as unknown as SessionMessage; // the journal has the blocks of the session
}

function startedAgents({ content }: RecordedMessage): readonly { id: string; name: string }[] {
  return content.flatMap((block) => {
    const { type, id, input } = Object(block) as Partial<Record<string, unknown>>;
    if (type !== 'tool_use' || typeof id !== 'string') return [];
    const { description } = Object(input) as { description?: unknown };
    return [{ id, name: typeof description === 'string' ? description : id }];
  });
}
